// SPDX-License-Identifier: GPL-3.0-or-later
#include "builtin_views.h"

#include <tilewright/ui/bottlenecks_view.h>
#include <tilewright/ui/compare_view.h>
#include <tilewright/ui/devices_view.h>
#include <tilewright/ui/model_view.h>
#include <tilewright/ui/profile_view.h>
#include <tilewright/ui/records_view.h>
#include <tilewright/ui/tune_view.h>

namespace tilewright::ui {

const QList<ViewEntry>& builtinViews() {
    static const QList<ViewEntry> views = {
        {"model", 1, createModelView},
        {"tune", 2, createTuneView},
        {"bottlenecks", 3, createBottlenecksView},
        {"records", 4, createRecordsView},
        {"compare", 5, createCompareView},
        {"profile", 6, createProfileView},
        {"devices", 7, createDevicesView},
    };
    return views;
}

} // namespace tilewright::ui
