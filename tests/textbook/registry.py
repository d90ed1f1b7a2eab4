"""The references by the type of element they are of: KINDS[kind][type] is a function that makes a random case."""
KINDS = {"load": {}, "joint": {}, "measure": {}, "function": {}, "controller": {}, "body": {}, "beam": {}}


def element(kind, *types):
    def enter(build):
        for name in types:
            KINDS[kind].setdefault(name, []).append(build)
        return build
    return enter
