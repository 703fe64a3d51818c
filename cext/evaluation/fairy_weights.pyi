PLACES: dict[str, int]
HANDS: dict[str, int]
FORMS: dict[str, int]
EXPLOSIONS: dict[str, int]

def weights() -> dict[str, int]: ...
