"""The quarters of the city: where they lie, what their streets and houses are like, what they are called."""

from patterns import Pattern
from plane import Place
from shapely import Polygon

#: An area between main roads belongs to the quarter whose centre is nearest, by `reach`.
QUARTERS = [
    Pattern("Harbourside", (-480, -1050), "blocks", row=75, column=95, swing=4),
    Pattern("Harbourside", (-120, -800), "blocks", row=60, column=80, swing=4),
    Pattern("Harbourside", (470, -640), "blocks", row=70, column=90, swing=2),
    Pattern("Westgate", (-1080, -420), "blocks", row=80, column=110, swing=4),
    Pattern("Westgate", (-950, -800), "blocks", row=80, column=105, swing=4),
    Pattern("Station Quarter", (-500, 180), "blocks", row=75, column=110, swing=3),
    Pattern("Hospital Quarter", (-1000, 120), "blocks", row=85, column=115, swing=4),
    Pattern("Riverside", (150, -300), "blocks", row=65, column=85, swing=4),
    Pattern("Riverside", (120, 120), "blocks", row=70, column=85, swing=4),
    Pattern("Northbank", (-560, 600), "blocks", row=85, column=105, swing=5),
    Pattern("Parkside", (560, 650), "blocks", row=85, column=100, swing=4),
    Pattern("Eastgate", (800, -320), "grid", angle=0.17, row=86, column=128, reach=1.25, origin=(260, -720)),
    Pattern("Eastgate", (880, 150), "grid", angle=0.17, row=86, column=128, reach=1.1, origin=(260, -720)),
    Pattern("Stadium Quarter", (1080, 560), "blocks", row=90, column=120, swing=4),
    Pattern("Docks", (1460, -420), "yards", angle=-0.1, row=150, column=210, reach=0.8),
    Pattern("Docks", (1350, -900), "yards", angle=0.3, row=140, column=200, reach=0.8),
    Pattern("Westfield", (-1650, 60), "curves", angle=-0.12, row=88, column=175, swing=26),
    Pattern("Bayview", (-1650, -850), "curves", angle=-0.9, row=88, column=170, swing=30),
    Pattern("Bayview", (-2250, -350), "curves", angle=0.6, row=92, column=170, swing=34),
    Pattern("Cape", (-1080, -1500), "curves", angle=0.75, row=90, column=165, swing=28),
    Pattern("Cape", (-1150, -1950), "curves", angle=0.2, row=95, column=170, swing=32),
    Pattern("Hillside", (-1950, 420), "curves", angle=0.5, row=96, column=180, swing=42),
    Pattern("Northfield", (-500, 1350), "curves", angle=0.25, row=88, column=170, swing=30),
    Pattern("Northfield", (-750, 1900), "curves", angle=-0.4, row=90, column=170, swing=34),
    Pattern("Northbank", (-500, 1020), "curves", angle=-0.05, row=84, column=160, swing=18),
    Pattern("Lakeside", (350, 1750), "curves", angle=0.3, row=90, column=170, swing=32),
    Pattern("Lakeside", (820, 1000), "curves", angle=0.9, row=86, column=160, swing=22),
    Pattern("Eastham", (1500, 450), "curves", angle=-0.6, row=86, column=165, swing=22),
    Pattern("South Point", (1800, -1500), "curves", angle=1.1, row=92, column=175, swing=32),
    Pattern("South Point", (1450, -1950), "curves", angle=0.3, row=92, column=175, swing=30),
]
OLD_TOWN = Pattern("Old Town", (-430, -420), "lanes", row=48, column=58, swing=5)
#: From the boulevard through the gates of the wall to the market.
OLD_TOWN_STREETS: dict[str, list[Place]] = {
    "North Gate Street": [(-400, 60), (-398, -19), (-350, -120), (-372, -230), (-415, -350), (-415, -430)],
    "Old Bridge Street": [(80, -588), (40, -520), (-90, -520), (-200, -470), (-330, -450), (-415, -430)],
    "Harbour Street": [(-225, -870), (-245, -785), (-262, -690), (-330, -570), (-385, -480), (-415, -430)],
    "Cape Gate Street": [(-650, -835), (-610, -766), (-570, -650), (-500, -540), (-450, -465), (-415, -430)],
    "West Gate Street": [(-892, -385), (-815, -390), (-730, -420), (-600, -400), (-500, -440), (-415, -430)],
    "Mill Gate Street": [(-30, -120), (-75, -140), (-150, -225), (-250, -350), (-330, -400), (-415, -430)],
}
#: What streets may be built on: the city with its suburbs.
BUILT_UP: list[list[Place]] = [
    [
        (-1000, 1130),
        (-1500, 830),
        (-2000, 760),
        (-2330, 560),
        (-2420, 160),
        (-2560, -40),
        (-2620, -420),
        (-2450, -720),
        (-2230, -1000),
        (-2080, -1350),
        (-1950, -1500),
        (-1850, -1900),
        (-1500, -2180),
        (-1100, -2150),
        (-500, -1600),
        (-300, -1100),
        (60, -850),
        (600, -850),
        (1150, -1300),
        (1350, -2120),
        (1700, -2020),
        (1980, -1650),
        (2080, -1250),
        (1900, -700),
        (1750, -100),
        (1800, 420),
        (1620, 760),
        (1250, 1050),
        (900, 1180),
        (400, 1250),
        (-100, 1200),
    ],
    [(-120, 1200), (-560, 1230), (-900, 1660), (-1500, 1740), (-1640, 1800), (-1100, 2080), (-500, 2080), (-140, 1900)],
    [(-120, 1560), (400, 1590), (820, 1680), (930, 1900), (860, 2120), (450, 2010), (150, 1840), (-130, 1860)],
]
#: What is farmed where nothing is built.
FARMED: list[Place] = [
    (430, 1260),
    (900, 1200),
    (1300, 1000),
    (1650, 780),
    (1720, 430),
    (1950, 300),
    (2250, 450),
    (2450, 1050),
    (2300, 1700),
    (1800, 1800),
    (1450, 1700),
    (1000, 1600),
    (760, 1640),
    (420, 1560),
]
#: Where houses have numbers: in the grid.
NUMBERED = Polygon([(290, -640), (1230, -640), (1230, 300), (290, 300)])
#: Where the names of quarters stand.
LABELS = {
    "Old Town": (-520, -460),
    "Harbourside": (-520, -1060),
    "Westgate": (-1080, -300),
    "Station Quarter": (-560, 170),
    "Riverside": (140, -170),
    "Northbank": (-560, 640),
    "Eastgate": (880, -420),
    "Stadium Quarter": (1010, 720),
    "Docks": (1440, -480),
    "Westfield": (-1700, 30),
    "Bayview": (-1640, -900),
    "Cape": (-1080, -1640),
    "Hillside": (-2040, 480),
    "Northfield": (-640, 1420),
    "Lakeside": (330, 1780),
    "Eastham": (1470, 520),
    "South Point": (1740, -1550),
}
