"""All types of things by the names people use for them."""

from collections.abc import Callable

import numpy as np

from helpanna.errors import InputError
from helpanna.worlds.houses.furniture import (
    bathroom,
    beds,
    decoration,
    electronics,
    household,
    kitchen,
    kitchenware,
    lamps,
    play,
    seating,
    storage,
    walls,
)
from helpanna.worlds.houses.furniture import (
    tables_and_desks as tables,
)  # fmt: skip
from helpanna.worlds.houses.furniture.workshop import Wish
from helpanna.worlds.houses.layout import Thing
from helpanna.worlds.houses.styles import Style

_MAKERS: dict[str, Callable[[Wish], Thing]] = {
    # seating
    "sofa": seating.sofa, "loveseat": seating.loveseat, "armchair": seating.armchair,
    "dining chair": seating.dining_chair, "office chair": seating.office_chair,
    "bar stool": seating.bar_stool, "stool": seating.stool, "bench": seating.bench,
    "ottoman": seating.ottoman, "footstool": seating.footstool,
    # tables
    "dining table": tables.dining_table, "coffee table": tables.coffee_table,
    "side table": tables.side_table, "console table": tables.console_table, "nightstand": tables.nightstand,
    "desk": tables.desk, "vanity": tables.vanity, "ironing board": tables.ironing_board,
    "pedestal": tables.pedestal,
    # storage
    "wardrobe": storage.wardrobe, "dresser": storage.dresser, "tv stand": storage.tv_stand,
    "sideboard": storage.sideboard, "china cabinet": storage.china_cabinet, "bookshelf": storage.bookshelf,
    "shelf": storage.shelf, "filing cabinet": storage.filing_cabinet, "shoe rack": storage.shoe_rack,
    "chest": storage.chest, "kitchen shelf": storage.kitchen_shelf, "display case": storage.display_case,
    # beds
    "bed": beds.bed, "bunk bed": beds.bunk_bed, "crib": beds.crib, "pillow": beds.pillow,
    "blanket": beds.blanket,
    # kitchens
    "kitchen counter": kitchen.kitchen_counter, "sink": kitchen.sink, "stove": kitchen.stove,
    "oven": kitchen.oven, "range hood": kitchen.range_hood, "kitchen cabinet": kitchen.kitchen_cabinet,
    "kitchen island": kitchen.kitchen_island, "refrigerator": kitchen.refrigerator,
    "dishwasher": kitchen.dishwasher,
    # kitchenware
    "mug": kitchenware.mug, "plate": kitchenware.plate, "bowl": kitchenware.bowl,
    "fruit bowl": kitchenware.fruit_bowl, "bottle": kitchenware.bottle, "pan": kitchenware.pan,
    "pot": kitchenware.pot, "kettle": kitchenware.kettle, "teapot": kitchenware.teapot,
    "coffee maker": kitchenware.coffee_maker, "toaster": kitchenware.toaster,
    "microwave": kitchenware.microwave, "cutting board": kitchenware.cutting_board,
    "knife block": kitchenware.knife_block, "jar": kitchenware.jar, "tray": kitchenware.tray,
    "glass": kitchenware.glass,
    # bathrooms
    "toilet": bathroom.toilet, "bathtub": bathroom.bathtub, "shower": bathroom.shower,
    "washbasin": bathroom.washbasin, "towel": bathroom.towel, "towel rack": bathroom.towel_rack,
    "towels": bathroom.towels, "toilet paper": bathroom.toilet_paper,
    "soap dispenser": bathroom.soap_dispenser, "bath mat": bathroom.bath_mat,
    "laundry basket": bathroom.laundry_basket, "washing machine": bathroom.washing_machine,
    "dryer": bathroom.dryer, "toilet brush": bathroom.toilet_brush, "scale": bathroom.scale,
    # electronics
    "television": electronics.television, "monitor": electronics.monitor, "computer": electronics.computer,
    "keyboard": electronics.keyboard, "printer": electronics.printer, "telephone": electronics.telephone,
    "radio": electronics.radio, "speaker": electronics.speaker, "fan": electronics.fan,
    "globe": electronics.globe, "piano": electronics.piano,
    # lamps
    "floor lamp": lamps.floor_lamp, "table lamp": lamps.table_lamp, "desk lamp": lamps.desk_lamp,
    "ceiling lamp": lamps.ceiling_lamp, "pendant lamp": lamps.pendant_lamp, "chandelier": lamps.chandelier,
    # walls and windows
    "picture": walls.picture, "photo frame": walls.photo_frame, "mirror": walls.mirror, "clock": walls.clock,
    "curtain": walls.curtain, "blinds": walls.blinds, "whiteboard": walls.whiteboard,
    "bulletin board": walls.bulletin_board, "radiator": walls.radiator,
    "smoke detector": walls.smoke_detector, "light switch": walls.light_switch,
    "thermostat": walls.thermostat,
    # decoration
    "vase": decoration.vase, "flower": decoration.flower, "plant": decoration.plant,
    "candle": decoration.candle, "candlestick": decoration.candlestick, "statue": decoration.statue,
    "rug": decoration.rug, "door mat": decoration.door_mat, "book": decoration.book,
    "books": decoration.books, "basket": decoration.basket, "box": decoration.box_,
    "teddy bear": play.teddy_bear, "toy": play.toy, "ball": play.ball_,
    "guitar": play.guitar, "tissue box": decoration.tissue_box,
    # household
    "fireplace": household.fireplace, "trash can": household.trash_can, "coat rack": household.coat_rack,
    "umbrella stand": household.umbrella_stand, "bag": household.bag, "suitcase": household.suitcase,
    "exercise bike": household.exercise_bike, "treadmill": household.treadmill, "weights": household.weights,
    "ladder": household.ladder, "heater": household.heater, "water cooler": household.water_cooler,
}  # fmt: skip

TYPES: tuple[str, ...] = tuple(_MAKERS)
"""What can be made."""


def make_thing(
    type: str,
    style: Style,
    rng: np.random.Generator,
    width: float | None = None,
    depth: float | None = None,
    height: float | None = None,
) -> Thing:
    """A thing of a type in a style.

    Args:
        type: one of `TYPES`.
        style: materials and family of shapes.
        rng: where chance comes from.
        width: metres wished for; makers respect what such a thing is made to measure in.
        depth: likewise.
        height: likewise.
    """
    if type not in _MAKERS:
        raise InputError(f"there is no type of thing {type!r}; choose one of {', '.join(TYPES)}.")
    return _MAKERS[type](Wish(style, rng, width, depth, height))
