"""Functions that exist only inside their callers: numba hands their code on as it is, to be optimised there.

By itself numba optimises every function and turns it into machine code before it links it into a caller,
where it is optimised again. For a function that Python never calls, the first time is for nothing: without
it the engine compiles in two thirds of the time.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code of one function with that of the functions it calls, for linking alone."""

    def finalize(self) -> None:
        """Bring in the code of the functions that are called; nothing is optimised."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class LinkedLowering(NativeLowering):  # type: ignore[misc]
    """Writes a function's code into a library for linking and lets callers find it there."""

    _name = "linked_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower one function."""
        state.library = LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        place = _nowhere(state.cr, state.library)
        state.targetctx.insert_user_function(place, state.cr.fndesc, [state.library])
        state["cr"] = state.cr._replace(cfunc=place)
        return True


def _nowhere(lowered: Any, library: LinkedLibrary) -> Any:
    """What numba knows a function by, usually the one that Python calls; this one cannot be called."""
    known = lowered.fndesc
    return _dynfunc.make_function(known.lookup_module(), known.unique_name, "linked only", 0, lowered.env, (library,))


class LinkedCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's own way to compile, but for the last step."""

    def define_pipelines(self) -> list[PassManager]:
        """The one list of passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(LinkedLowering if one is NativeLowering else one, why) for one, why in passes.passes]
        passes._finalized = False
        passes.finalize()
        return [passes]
