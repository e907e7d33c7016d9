"""One small page in each framework: a law along a variable with sliders for the others, and a table.

    python -m tests.app.frameworks.pages nicegui|panel|shiny PORT

They need `pip install nicegui panel shiny shinywidgets plotly`, which the project itself does not.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

NAMES = ("x", "z", "w")
ROWS = [[f"{value:.3f}" for value in row] for row in np.random.default_rng(0).uniform(1, 3, (20, 3)).tolist()]
TITLE, LAW = "The law along x", "y = <i>w</i> + sin(<i>z</i> <i>x</i>)"


def curve(z: float, w: float) -> dict[str, Any]:
    x = np.linspace(1, 3, 160)
    line = {"type": "scatter", "mode": "lines", "x": x.tolist(), "y": (w + np.sin(z * x)).tolist()}
    return {"data": [line], "layout": {"height": 300, "xaxis": {"title": {"text": "x"}}}}


def nicegui(port: int) -> None:
    from nicegui import ui

    @ui.page("/")
    def page() -> None:
        ui.label(TITLE)
        ui.html(LAW, sanitize=False)
        held = {}
        for name in NAMES[1:]:
            ui.label(name)
            held[name] = ui.slider(min=1, max=3, step=0.01, value=2).props(f"aria-label={name}")
        drawn = ui.plotly(curve(2, 2))

        def moved() -> None:
            drawn.update_figure(curve(held["z"].value, held["w"].value))

        for slider in held.values():
            slider.on_value_change(moved)
        ui.table(
            columns=[{"name": name, "label": name, "field": name} for name in NAMES],
            rows=[dict(zip(NAMES, row, strict=True)) for row in ROWS],
        )

    ui.run(host="127.0.0.1", port=port, show=False, reload=False, title=TITLE, show_welcome_message=False)


def panel(port: int) -> None:
    import pandas as pd
    import panel as pn

    pn.extension("plotly")

    def page() -> Any:
        z, w = (pn.widgets.FloatSlider(name=name, start=1, end=3, step=0.01, value=2) for name in NAMES[1:])
        drawn = pn.pane.Plotly(pn.bind(curve, z, w))
        table = pn.pane.DataFrame(pd.DataFrame(ROWS, columns=list(NAMES)), index=False)
        return pn.Column(f"# {TITLE}", pn.pane.HTML(LAW), z, w, drawn, table)

    pn.serve(page, address="127.0.0.1", port=port, show=False, title=TITLE, websocket_origin=f"127.0.0.1:{port}")


def shiny(port: int) -> None:
    import pandas as pd
    import plotly.graph_objects as go
    import uvicorn
    from shiny import App, reactive, render, ui
    from shinywidgets import output_widget, render_plotly

    page = ui.page_fluid(
        ui.h1(TITLE), ui.HTML(LAW), *(ui.input_slider(name, name, 1, 3, 2, step=0.01) for name in NAMES[1:]),
        output_widget("drawn"), ui.output_table("rows"), title=TITLE, lang="en",
    )  # fmt: skip

    def server(held: Any, output: Any, session: Any) -> None:
        @render_plotly
        def drawn() -> go.FigureWidget:
            return go.FigureWidget(curve(2, 2))

        @reactive.effect
        def moved() -> None:
            drawn.widget.data[0].y = curve(held.z(), held.w())["data"][0]["y"]

        @render.table
        def rows() -> pd.DataFrame:
            return pd.DataFrame(ROWS, columns=list(NAMES))

    uvicorn.run(App(page, server), host="127.0.0.1", port=port, log_level="error")


if __name__ == "__main__":
    {"nicegui": nicegui, "panel": panel, "shiny": shiny}[sys.argv[1]](int(sys.argv[2]))
