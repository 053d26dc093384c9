// SPDX-License-Identifier: Apache-2.0
#include <tilewright/session/module_codec.h>

#include <tilewright/base/concat.h>
#include <tilewright/base/diagnostic.h>
#include <tilewright/ir/parser.h>
#include <tilewright/ir/printer.h>
#include <tilewright/ir/structural.h>
#include <tilewright/ir/tvm_json.h>

namespace tilewright::session {

database::ModuleCodec makeModuleCodec(std::string_view equality) {
    const auto mode = ir::moduleEqualityFromName(equality);
    if (!mode)
        throw base::UserError("equality", base::concat("no module equality '", equality,
                                                       "'; accepted are structural, ignore-tensor, "
                                                       "anchor-block"));
    database::ModuleCodec codec;
    codec.equality = equality;
    codec.hash = [mode = *mode](std::string_view module) {
        return ir::hashModule(ir::parseModule(module), mode);
    };
    codec.equal = [mode = *mode](std::string_view left, std::string_view right) {
        return left == right ||
               ir::equalModules(ir::parseModule(left), ir::parseModule(right), mode);
    };
    codec.fromTvmGraph = [](std::string_view graph) {
        return ir::print(ir::moduleFromTvmJson(graph));
    };
    codec.toTvmGraph = [](std::string_view module, bool legacy) {
        return ir::moduleToTvmJson(ir::parseModule(module),
                                   legacy ? ir::TvmJsonEra::Legacy : ir::TvmJsonEra::Ffi);
    };
    codec.tvmHash = [](std::string_view module) {
        return ir::tvmStructuralHash(ir::parseModule(module));
    };
    codec.nameOf = [](std::string_view module) {
        const ir::Block anchor = ir::findAnchorBlock(ir::parseModule(module));
        return anchor ? anchor->name : std::string();
    };
    return codec;
}

} // namespace tilewright::session
