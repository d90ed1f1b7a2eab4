"""Every kind of thing that a model may hold, a method each; written by python/write_elements.py from the
tables that the library reads model files by.

The methods are declarations, for help(), completion and type checkers: ``element`` makes what they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Union

from routh.builder import (
    Body,
    Building,
    Controller,
    Event,
    Expression,
    Fields,
    Joint,
    JointName,
    Load,
    Marker,
    Number,
    Numbers,
    Orientation,
    Part,
    Point,
    Signal,
    Variant,
    element,
    section,
)

Axis = Union[Literal["x", "y", "z", "-x", "-y", "-z"], Numbers]


class Elements(Building):
    """The methods that add something to a model that a program builds."""

    @element("variants", None, Variant, [])
    def variant(
        self,
        name: str,
        *,
        set: Fields | None = None,
        parts: Fields | None = None,
    ) -> Variant:
        """One of the variants: values of parameters and variants of parts, each set of them under a
        name.

        Parameters
        ----------
        name : str
            Its own.
        set : Fields
            values of parameters of this file, in place of those under `parameters`; default: as
            `parameters` says.
        parts : Fields
            for parts of this file the variant of each; of an array that of all, or, as NAME.3, of
            one; default: as `parts` says.
        """
        raise NotImplementedError

    @element("bodies", None, Body, [])
    def body(
        self,
        name: str,
        *,
        mass: Number | None = None,
        inertia: Numbers | None = None,
        position: Numbers | None = None,
        orientation: Orientation | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        relative_to: str | None = None,
        moved: Fields | None = None,
        spin: Fields | None = None,
        shape: Fields | None = None,
        density: Number | None = None,
    ) -> Body:
        """A rigid body.

        Parameters
        ----------
        name : str
            Its own.
        mass : Number
            the body's mass; 0: a massless body [kg]; default: that of its `shape` of this
            `density`.
        inertia : Numbers
            inertia about the centre of mass in body axes: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy,
            Ixz, Iyz]; the last three are the entries of the tensor, so Ixy = -(integral of x y dm).
            Principal moments may be 0: [0, 0, 0] is a point mass [kg m^2]; default: that of its
            `shape`, filled evenly.
        position : Numbers
            the centre of mass in the world [m]; default: [0, 0, 0].
        orientation : Orientation
            how the body's axes stand in the world; default: as the world.
        velocity : Numbers
            of the centre of mass, world components [m/s]; default: [0, 0, 0].
        angular_velocity : Numbers
            world components [rad/s]; default: [0, 0, 0].
        relative_to : str
            a marker or another body: position, orientation and velocities are then relative to its
            frame, in its axes; default: the world.
        moved : Fields
            how the body is moved from here to where it begins, and with it what it carries;
            default: not.
            - ``about``: the point that it is rotated about, in the axes and from the origin of
            `position` [m]; default: [0, 0, 0].
            - ``orientation``: the rotation, in the axes of `position`; default: no rotation.
            - ``displacement``: by which it is moved then [m]; default: [0, 0, 0].
        spin : Fields
            instead of velocities: it rotates about an axis, and with it what it carries; default:
            none.
            - ``axis``: the direction of the axis, in the axes of `position`.
            - ``rate``: the rate of rotation about it [rad/s].
            - ``about``: a point of the axis [m]; default: where the body is.
        shape : Fields
            its shape: how it is drawn, and its inertia where none is given; default: drawn by its
            markers and inertia.
            - ``box``: a box.
            - ``cylinder``: a full cylinder about its z axis.
            - ``tube``: a round tube about its z axis.
            - ``sphere``: a full sphere.
            - ``capsule``: a cylinder about its z axis with half spheres at its ends.
            - ``cone``: a full cone, its tip along z.
            - ``wheel``: a wheel with a tyre, about its z axis.
            - ``plate``: a rectangular plate, thin along z.
            - ``extrusion``: a section in x and y along its z axis.
            - ``mesh``: a surface of triangles from a file.
            - ``axis``: the direction of the shape's z axis in body axes; default: z.
            - ``orientation``: how the shape's axes stand in those of the body; default: as the
            body.
            - ``position``: the shape's origin from the body's centre of mass, in body axes [m];
            default: [0, 0, 0].
            - ``color``: such as "#3f7fbf", or one of black, blue, brown, cyan, gray, green, orange,
            pink, purple, red, white, yellow; default: one of ten in turn.
        density : Number
            of what fills its shape: a number, or a material: aluminium, brass, bronze, cast_iron,
            concrete, copper, lead, magnesium, nylon, pom, rubber, steel, titanium, water; beside a
            written mass or inertia, which must then agree within 1 % [kg/m^3]; default: none.
        """
        raise NotImplementedError

    @element("bodies", "beam", Body, [])
    def beam_body(
        self,
        name: str,
        *,
        position: Numbers | None = None,
        orientation: Orientation | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        relative_to: str | None = None,
        moved: Fields | None = None,
        spin: Fields | None = None,
        from_: Numbers | None = None,
        to: Numbers | None = None,
        elements: Number | None = None,
        side: Numbers | None = None,
        planar: bool | None = None,
        frame: Literal["tangent", "mean-axis"] | None = None,
        modes: Number | None = None,
        stiffening: bool | None = None,
        rotary_inertia: bool | None = None,
        density: Number | None = None,
        youngs_modulus: Number | None = None,
        shear_modulus: Number | None = None,
        poissons_ratio: Number | None = None,
        section: Fields | None = None,
        area: Number | None = None,
        iyy: Number | None = None,
        izz: Number | None = None,
        torsion_constant: Number | None = None,
        damping: Fields | None = None,
    ) -> Body:
        """A straight elastic beam of Euler-Bernoulli elements in a floating frame: any motion of
        the frame, small deformation in it.

        Parameters
        ----------
        name : str
            Its own.
        position : Numbers
            the origin of the body's floating frame in the world [m]; default: [0, 0, 0].
        orientation : Orientation
            how the body's axes stand in the world; default: as the world.
        velocity : Numbers
            of the floating frame's origin, world components [m/s]; default: [0, 0, 0].
        angular_velocity : Numbers
            world components [rad/s]; default: [0, 0, 0].
        relative_to : str
            a marker or another body: position, orientation and velocities are then relative to its
            frame, in its axes; default: the world.
        moved : Fields
            how the body is moved from here to where it begins, and with it what it carries;
            default: not.
            - ``about``: the point that it is rotated about, in the axes and from the origin of
            `position` [m]; default: [0, 0, 0].
            - ``orientation``: the rotation, in the axes of `position`; default: no rotation.
            - ``displacement``: by which it is moved then [m]; default: [0, 0, 0].
        spin : Fields
            instead of velocities: it rotates about an axis, and with it what it carries; default:
            none.
            - ``axis``: the direction of the axis, in the axes of `position`.
            - ``rate``: the rate of rotation about it [rad/s].
            - ``about``: a point of the axis [m]; default: where the body is.
        from_ : Numbers
            where its first node lies, in the floating frame [m]; default: [0, 0, 0].
        to : Numbers
            where its last node lies, in the floating frame [m].
        elements : Number
            how many finite elements of equal length; one node more [1]; default: 10.
        side : Numbers
            a direction in the floating frame: the section's x runs along the beam, its y lies in
            the plane of the beam and this direction; default: so that the section's z lies as near
            to the frame's z as it can.
        planar : bool
            it stretches and bends in the section's x-y plane only, without torsion; default: false.
        frame : Literal["tangent", "mean-axis"]
            the floating frame: tangent, clamped to the first node, the coordinates displacements
            and rotations of the other nodes; mean-axis, moving with the mean of the body, the
            coordinates amplitudes of its free modes; default: tangent.
        modes : Number
            how many free modes of a mean-axis frame, the lowest [1]; default: all.
        stiffening : bool
            axial forces stiffen or soften the bending (geometric stiffness); default: true with a
            tangent frame.
        rotary_inertia : bool
            sections have inertia against rotation with the bending; default: false.
        density : Number
            mass per volume; a number, or a material: aluminium, brass, bronze, cast_iron, concrete,
            copper, lead, magnesium, nylon, pom, rubber, steel, titanium, water [kg/m^3].
        youngs_modulus : Number
            E, of stretch and bending [Pa].
        shear_modulus : Number
            G, for torsion; a planar beam needs none [Pa]; default: from `poissons_ratio`.
        poissons_ratio : Number
            instead of it: G = E/(2 (1 + ratio)) [1]; default: from `shear_modulus`.
        section : Fields
            the cross-section by its shape, instead of `area`, `iyy`, `izz`, `torsion_constant`.
            - ``circle``: a full circle.
            - ``tube``: a round tube.
            - ``rectangle``: a full rectangle; the torsion constant is that of Saint-Venant.
        area : Number
            A, of the cross-section [m^2]; default: from `section`.
        iyy : Number
            second moment of area about the section's y axis: bending in the x-z plane [m^4];
            default: from `section`.
        izz : Number
            second moment of area about the section's z axis: bending in the x-y plane [m^4];
            default: from `section`.
        torsion_constant : Number
            J: the torsional stiffness is G J [m^4]; default: from `section`.
        damping : Fields
            Rayleigh damping: the damping matrix as a sum of mass and stiffness matrix; default:
            none.
            - ``mass``: times the mass matrix [1/s]; default: 0.
            - ``stiffness``: times the stiffness matrix [s]; default: 0.
        """
        raise NotImplementedError

    @element("bodies", "modal", Body, [])
    def modal_body(
        self,
        name: str,
        *,
        position: Numbers | None = None,
        orientation: Orientation | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        relative_to: str | None = None,
        moved: Fields | None = None,
        spin: Fields | None = None,
        file: str | None = None,
        stiffness_matrix: str | None = None,
        mass_matrix: str | None = None,
        nodes: str | None = None,
        dofs: str | None = None,
        interface: Sequence[Any] | None = None,
        modes: Number | None = None,
        cut: Number | None = None,
        frequencies_below: Number | None = None,
        accuracy: Number | None = None,
        normal_modes: Literal["held", "free"] | None = None,
        shapes: str | None = None,
        damping_ratio: Number | None = None,
        length_unit: Literal["m", "cm", "mm", "in", "ft"] | None = None,
        mass_unit: Literal["kg", "g", "t"] | None = None,
        time_unit: Literal["s", "ms"] | None = None,
    ) -> Body:
        """A body of finite elements, reduced to interfaces and modes, in a floating frame that
        moves with its mean, in undeformed shape the axes of its model.

        Parameters
        ----------
        name : str
            Its own.
        position : Numbers
            the origin of the body's floating frame in the world [m]; default: [0, 0, 0].
        orientation : Orientation
            how the body's axes stand in the world; default: as the world.
        velocity : Numbers
            of the floating frame's origin, world components [m/s]; default: [0, 0, 0].
        angular_velocity : Numbers
            world components [rad/s]; default: [0, 0, 0].
        relative_to : str
            a marker or another body: position, orientation and velocities are then relative to its
            frame, in its axes; default: the world.
        moved : Fields
            how the body is moved from here to where it begins, and with it what it carries;
            default: not.
            - ``about``: the point that it is rotated about, in the axes and from the origin of
            `position` [m]; default: [0, 0, 0].
            - ``orientation``: the rotation, in the axes of `position`; default: no rotation.
            - ``displacement``: by which it is moved then [m]; default: [0, 0, 0].
        spin : Fields
            instead of velocities: it rotates about an axis, and with it what it carries; default:
            none.
            - ``axis``: the direction of the axis, in the axes of `position`.
            - ``rate``: the rate of rotation about it [rad/s].
            - ``about``: a point of the axis [m]; default: where the body is.
        file : str
            the reduced body, as `routh reduce --output` writes it; a path from the folder of the
            model file.
        stiffness_matrix : str
            instead of it: the file of a finite-element program with the stiffness matrix of the
            free body, which is reduced when the model is read.
        mass_matrix : str
            the file with its mass matrix; the same where both are in one.
        nodes : str
            the file with the nodes; default: in `stiffness_matrix`.
        dofs : str
            a file with node and direction of every row; default: three or six rows a node.
        interface : Sequence[Any]
            nodes where joints and loads will be, with all their coordinates; `1001=SET` is the mean
            motion of a set of nodes, as node 1001; default: none: free-free modes alone.
        modes : Number
            how many normal modes, the lowest, besides what interfaces bring [1]; default: 10.
        cut : Number
            instead of a number of modes: all below this frequency [Hz].
        frequencies_below : Number
            instead of a number of modes: as many as it takes for the frequencies of the free body
            below this to be those of the whole model, which are counted [Hz].
        accuracy : Number
            of these frequencies, relative [1]; default: 0.001.
        normal_modes : Literal["held", "free"]
            whether they are those of the body held at its interfaces, or of the free body; default:
            held.
        shapes : str
            a file of shapes that are kept besides: a Matrix Market array, a column each, or lines
            of node, direction and values; without `interface`, `modes`, `cut` and
            `frequencies_below` these alone; default: none.
        damping_ratio : Number
            of every elastic mode of the free body [1]; default: 0.
        length_unit : Literal["m", "cm", "mm", "in", "ft"]
            of the matrices and nodes; to be given in a model in other units; default: m.
        mass_unit : Literal["kg", "g", "t"]
            of the matrices; to be given in a model in other units; default: kg.
        time_unit : Literal["s", "ms"]
            of the matrices; to be given in a model in other units; default: s.
        """
        raise NotImplementedError

    @element("beams", "material", Body, [])
    def beam(
        self,
        name: str,
        *,
        from_: Numbers | None = None,
        to: Numbers | None = None,
        points: Numbers | None = None,
        elements: Number | None = None,
        order: Number | None = None,
        curved: bool | None = None,
        side: Numbers | None = None,
        stations: Numbers | None = None,
        density: Number | Numbers | None = None,
        youngs_modulus: Number | Numbers | None = None,
        shear_modulus: Number | Numbers | None = None,
        area: Number | Numbers | None = None,
        iyy: Number | Numbers | None = None,
        izz: Number | Numbers | None = None,
        torsion_constant: Number | Numbers | None = None,
        shear_factor_y: Number | Numbers | None = None,
        shear_factor_z: Number | Numbers | None = None,
        twist: Number | Numbers | None = None,
        inextensible: bool | None = None,
        damping_ratio: Number | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        about: Numbers | None = None,
    ) -> Body:
        """A beam of a material, by the shape of its sections.

        Parameters
        ----------
        name : str
            Its own.
        from_ : Numbers
            where the axis begins, in the world [m].
        to : Numbers
            where it ends [m].
        points : Numbers
            instead of from and to: points that the axis joins by straight segments; the sections
            are square to the segments, and to what is half-way at a point [m].
        elements : Number
            into how many each straight piece is divided; with 8, bodies name.1 to name.9 stand at
            the ends of the elements.
        order : Number
            of the elements, 1 to 8: more than 1 gives each element order + 1 nodes, bodies all of
            them; frequencies then converge with the power 2 order; default: 1.
        curved : bool
            true, with an order of 2 or more: each element is the polynomial through order + 1 of
            the points, which are its nodes; elements is then their number, and points are elements
            * order + 1; default: false.
        side : Numbers
            a direction in the world towards which the section's y points, as near as it can; x lies
            along the axis; default: [0, 1, 0].
        stations : Numbers
            distances along the axis at which lists below have their numbers; linear between them,
            the last value beyond them, and a jump where one is given twice [m]; default: none.
        density : Number | Numbers
            mass per volume [kg/m^3].
        youngs_modulus : Number | Numbers
            E [Pa].
        shear_modulus : Number | Numbers
            G [Pa].
        area : Number | Numbers
            A, of the cross-section [m^2].
        iyy : Number | Numbers
            second moment of area about the section's y axis: bending in the x-z plane [m^4].
        izz : Number | Numbers
            second moment of area about the section's z axis: bending in the x-y plane [m^4].
        torsion_constant : Number | Numbers
            J, so that the torsional stiffness is G J [m^4].
        shear_factor_y : Number | Numbers
            area / shear area along y (6/5 for a rectangle, 10/9 for a circle); 0 or left out: no
            shear deformation (Euler-Bernoulli); positive or left out with an order of 2 or more;
            default: 0.
        shear_factor_z : Number | Numbers
            the same along z; default: 0.
        twist : Number | Numbers
            angle of the section about the axis, from where `side` puts it [rad]; default: 0.
        inextensible : bool
            true: constraints keep the stretch zero, without any stiffness against it; their
            multipliers are the axial force; default: false.
        damping_ratio : Number
            damping = damping_ratio * stiffness, against rates of strain [s]; default: 0.
        velocity : Numbers
            of the point `about`, as it begins [m/s]; default: [0, 0, 0].
        angular_velocity : Numbers
            of the whole beam as it begins, world components [rad/s]; default: [0, 0, 0].
        about : Numbers
            the point of the world that has the velocity given, such as the hub [m]; default: [0, 0,
            0].
        """
        raise NotImplementedError

    @element("beams", "sections", Body, [])
    def beam_of_sections(
        self,
        name: str,
        *,
        from_: Numbers | None = None,
        to: Numbers | None = None,
        points: Numbers | None = None,
        elements: Number | None = None,
        order: Number | None = None,
        curved: bool | None = None,
        side: Numbers | None = None,
        stations: Numbers | None = None,
        mass_per_length: Number | Numbers | None = None,
        inertia_y: Number | Numbers | None = None,
        inertia_z: Number | Numbers | None = None,
        EA: Number | Numbers | None = None,
        GAy: Number | Numbers | None = None,
        GAz: Number | Numbers | None = None,
        GJ: Number | Numbers | None = None,
        EIy: Number | Numbers | None = None,
        EIz: Number | Numbers | None = None,
        stiffness: Numbers | None = None,
        damping: Numbers | None = None,
        twist: Number | Numbers | None = None,
        mass_y: Number | Numbers | None = None,
        mass_z: Number | Numbers | None = None,
        tension_y: Number | Numbers | None = None,
        tension_z: Number | Numbers | None = None,
        shear_y: Number | Numbers | None = None,
        shear_z: Number | Numbers | None = None,
        inextensible: bool | None = None,
        damping_ratio: Number | None = None,
        velocity: Numbers | None = None,
        angular_velocity: Numbers | None = None,
        about: Numbers | None = None,
    ) -> Body:
        """A beam by the masses and stiffnesses of its sections: a blade, a hose, a wing.

        Parameters
        ----------
        name : str
            Its own.
        from_ : Numbers
            where the axis begins, in the world [m].
        to : Numbers
            where it ends [m].
        points : Numbers
            instead of from and to: points that the axis joins by straight segments; the sections
            are square to the segments, and to what is half-way at a point [m].
        elements : Number
            into how many each straight piece is divided; with 8, bodies name.1 to name.9 stand at
            the ends of the elements.
        order : Number
            of the elements, 1 to 8: more than 1 gives each element order + 1 nodes, bodies all of
            them; frequencies then converge with the power 2 order; default: 1.
        curved : bool
            true, with an order of 2 or more: each element is the polynomial through order + 1 of
            the points, which are its nodes; elements is then their number, and points are elements
            * order + 1; default: false.
        side : Numbers
            a direction in the world towards which the section's y points, as near as it can; x lies
            along the axis; default: [0, 1, 0].
        stations : Numbers
            distances along the axis at which lists below have their numbers; linear between them,
            the last value beyond them, and a jump where one is given twice [m]; default: none.
        mass_per_length : Number | Numbers
            of the section [kg/m].
        inertia_y : Number | Numbers
            inertia per length about the section's y axis through its centre of mass, int z^2 dm;
            about x it is the sum of the two [kg m].
        inertia_z : Number | Numbers
            the same about z, int y^2 dm [kg m].
        EA : Number | Numbers
            stiffness against stretch; not used where the beam is inextensible [N]; default: needed
            without `stiffness`, but for an inextensible beam.
        GAy : Number | Numbers
            stiffness against shear along y [N]; default: no shear deformation.
        GAz : Number | Numbers
            stiffness against shear along z [N]; default: no shear deformation.
        GJ : Number | Numbers
            stiffness against torsion [N m^2]; default: needed without `stiffness`.
        EIy : Number | Numbers
            stiffness against bending about y, in the x-z plane [N m^2]; default: needed without
            `stiffness`.
        EIz : Number | Numbers
            stiffness against bending about z, in the x-y plane [N m^2]; default: needed without
            `stiffness`.
        stiffness : Numbers
            instead of EA to EIz: the whole matrix of the section at the axis, symmetric, the same
            all along: force and moment (x, y, z) from strain and curvature [N, N m, N m^2].
        damping : Numbers
            the whole matrix against rates of strain and curvature, beside damping_ratio [N s, N m
            s, N m^2 s]; default: 0.
        twist : Number | Numbers
            angle of the section about the axis, from where `side` puts it [rad]; default: 0.
        mass_y : Number | Numbers
            where the centre of mass lies in the section, from the axis [m]; default: 0.
        mass_z : Number | Numbers
            the same along z [m]; default: 0.
        tension_y : Number | Numbers
            where a pull does not bend: the point that EA, EIy and EIz hold for [m]; default: 0.
        tension_z : Number | Numbers
            the same along z [m]; default: 0.
        shear_y : Number | Numbers
            the shear centre, where a lateral force does not twist, of GAy, GAz and GJ [m]; default:
            0.
        shear_z : Number | Numbers
            the same along z [m]; default: 0.
        inextensible : bool
            true: constraints keep the stretch zero, without any stiffness against it; their
            multipliers are the axial force; default: false.
        damping_ratio : Number
            damping = damping_ratio * stiffness, against rates of strain [s]; default: 0.
        velocity : Numbers
            of the point `about`, as it begins [m/s]; default: [0, 0, 0].
        angular_velocity : Numbers
            of the whole beam as it begins, world components [rad/s]; default: [0, 0, 0].
        about : Numbers
            the point of the world that has the velocity given, such as the hub [m]; default: [0, 0,
            0].
        """
        raise NotImplementedError

    @element("markers", None, Marker, ["body"])
    def marker(
        self,
        name: str,
        body: Point | None = None,
        *,
        node: Number | None = None,
        position: Numbers | None = None,
        at: Numbers | None = None,
        orientation: Orientation | None = None,
    ) -> Marker:
        """One of the markers: frames fixed in bodies.

        Parameters
        ----------
        name : str
            Its own.
        body : Point
            the body it is fixed to, or ground.
        node : Number
            of a flexible body: the node it is fixed to, by its number; the ends of a beam are
            `first` and `last`; default: none: fixed in the floating frame.
        position : Numbers
            from the centre of mass, in body axes (on ground: in the world); of a flexible body,
            from the node in the node's axes, or from the frame's origin in the frame's [m];
            default: [0, 0, 0].
        at : Numbers
            instead of position: the point in the world, in the reference configuration; on a
            flexible body without `node`, the node there is taken [m].
        orientation : Orientation
            how the marker's axes stand in those of the body, or of the node; default: as the body.
        """
        raise NotImplementedError

    @element("joints", "fixed", Joint, ["first", "second"])
    def fixed(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        cut: bool | None = None,
    ) -> Joint:
        """No relative motion.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        cut : bool
            true: in relative coordinates the joint stays a constraint, so that a loop is cut here;
            without effect in other coordinates; default: false.
        """
        raise NotImplementedError

    @element("joints", "revolute", Joint, ["first", "second"])
    def revolute(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
        angle: Number | None = None,
        rate: Number | None = None,
        cut: bool | None = None,
    ) -> Joint:
        """Rotation about an axis.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        axis : Axis
            the joint's axis in the markers' own axes (with `at`: in the world): x, y, z, -x, -y, -z
            or a vector; default: z.
        angle : Number
            rotation about the axis, of the first body or marker relative to the second at the
            beginning; zero where the markers' axes agree [rad]; default: none.
        rate : Number
            its rate [rad/s]; default: none.
        cut : bool
            true: in relative coordinates the joint stays a constraint, so that a loop is cut here;
            without effect in other coordinates; default: false.
        """
        raise NotImplementedError

    @element("joints", "translational", Joint, ["first", "second"])
    def translational(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
        displacement: Number | None = None,
        velocity: Number | None = None,
        cut: bool | None = None,
    ) -> Joint:
        """Displacement along an axis.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        axis : Axis
            the joint's axis in the markers' own axes (with `at`: in the world): x, y, z, -x, -y, -z
            or a vector; default: z.
        displacement : Number
            along the axis, of the first body or marker relative to the second at the beginning;
            zero where the markers coincide [m]; default: none.
        velocity : Number
            its rate [m/s]; default: none.
        cut : bool
            true: in relative coordinates the joint stays a constraint, so that a loop is cut here;
            without effect in other coordinates; default: false.
        """
        raise NotImplementedError

    @element("joints", "cylindrical", Joint, ["first", "second"])
    def cylindrical(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
        angle: Number | None = None,
        rate: Number | None = None,
        displacement: Number | None = None,
        velocity: Number | None = None,
        cut: bool | None = None,
    ) -> Joint:
        """Rotation about an axis and displacement along it.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        axis : Axis
            the joint's axis in the markers' own axes (with `at`: in the world): x, y, z, -x, -y, -z
            or a vector; default: z.
        angle : Number
            rotation about the axis, of the first body or marker relative to the second at the
            beginning; zero where the markers' axes agree [rad]; default: none.
        rate : Number
            its rate [rad/s]; default: none.
        displacement : Number
            along the axis, of the first body or marker relative to the second at the beginning;
            zero where the markers coincide [m]; default: none.
        velocity : Number
            its rate [m/s]; default: none.
        cut : bool
            true: in relative coordinates the joint stays a constraint, so that a loop is cut here;
            without effect in other coordinates; default: false.
        """
        raise NotImplementedError

    @element("joints", "universal", Joint, ["first", "second"])
    def universal(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
        angle_y: Number | None = None,
        angle_x: Number | None = None,
        rate_y: Number | None = None,
        rate_x: Number | None = None,
        cut: bool | None = None,
    ) -> Joint:
        """A cross between two shafts: one leg along the joint's x in the first marker, the other
        along its y in the second; the shafts lie along the axis, z, when straight. x follows from
        the axis: along z or -z it is the axis x, along x or -x the axis y, along y or -y the axis
        z; of another direction x is the part across it of the axis x, y or z farthest from it, of
        equally far ones the first; y is across both, so that x, y, z are right-handed. Give markers
        where the cross is to lie otherwise.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        axis : Axis
            the direction of the shafts in the markers' own axes (with `at`: in the world): x, y, z,
            -x, -y, -z or a vector; default: z.
        angle_y : Number
            rotation of the cross about its leg in the second marker, the joint's y, of the first
            body or marker relative to the second at the beginning; zero where the markers' axes
            agree [rad]; default: none.
        angle_x : Number
            rotation of the first marker about its leg of the cross, the joint's x, likewise [rad];
            default: none.
        rate_y : Number
            the rate of angle_y [rad/s]; default: none.
        rate_x : Number
            the rate of angle_x [rad/s]; default: none.
        cut : bool
            true: in relative coordinates the joint stays a constraint, so that a loop is cut here;
            without effect in other coordinates; default: false.
        """
        raise NotImplementedError

    @element("joints", "constant_velocity", Joint, ["first", "second"])
    def constant_velocity(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
    ) -> Joint:
        """Two shafts that rotate alike at any angle between them.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        axis : Axis
            the direction of the shafts in the markers' own axes (with `at`: in the world): x, y, z,
            -x, -y, -z or a vector; default: z.
        """
        raise NotImplementedError

    @element("joints", "spherical", Joint, ["first", "second"])
    def spherical(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        orientation: Orientation | None = None,
        angular_velocity: Numbers | None = None,
        cut: bool | None = None,
    ) -> Joint:
        """A ball joint: the two points coincide.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        orientation : Orientation
            how the first marker's axes stand in the second's at the beginning; default: none.
        angular_velocity : Numbers
            of the first marker relative to the second at the beginning, in the second's axes
            [rad/s]; default: none.
        cut : bool
            true: in relative coordinates the joint stays a constraint, so that a loop is cut here;
            without effect in other coordinates; default: false.
        """
        raise NotImplementedError

    @element("joints", "planar", Joint, ["first", "second"])
    def planar(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
        x: Number | None = None,
        y: Number | None = None,
        angle: Number | None = None,
        vx: Number | None = None,
        vy: Number | None = None,
        rate: Number | None = None,
        cut: bool | None = None,
    ) -> Joint:
        """Motion in a plane.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        axis : Axis
            the normal of the plane in the markers' own axes (with `at`: in the world): x, y, z, -x,
            -y, -z or a vector; default: z.
        x : Number
            displacement along the joint's x axis, of the first body or marker relative to the
            second at the beginning; zero where the markers coincide [m]; default: none.
        y : Number
            the same along its y axis [m]; default: none.
        angle : Number
            rotation about the axis, of the first body or marker relative to the second at the
            beginning; zero where the markers' axes agree [rad]; default: none.
        vx : Number
            the rate of x [m/s]; default: none.
        vy : Number
            the rate of y [m/s]; default: none.
        rate : Number
            its rate [rad/s]; default: none.
        cut : bool
            true: in relative coordinates the joint stays a constraint, so that a loop is cut here;
            without effect in other coordinates; default: false.
        """
        raise NotImplementedError

    @element("joints", "screw", Joint, ["first", "second"])
    def screw(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
        pitch: Number | None = None,
        angle: Number | None = None,
        rate: Number | None = None,
        cut: bool | None = None,
    ) -> Joint:
        """Rotation about an axis with an advance along it.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        axis : Axis
            the screw's axis in the markers' own axes (with `at`: in the world): x, y, z, -x, -y, -z
            or a vector; default: z.
        pitch : Number
            advance along the axis in one revolution; negative for a left-hand thread [m].
        angle : Number
            rotation about the axis, of the first body or marker relative to the second at the
            beginning; zero where the markers' axes agree [rad]; default: none.
        rate : Number
            its rate [rad/s]; default: none.
        cut : bool
            true: in relative coordinates the joint stays a constraint, so that a loop is cut here;
            without effect in other coordinates; default: false.
        """
        raise NotImplementedError

    @element("joints", "rack_and_pinion", Joint, ["joints"])
    def rack_and_pinion(
        self,
        name: str,
        joints: Sequence[JointName] | None = None,
        *,
        radius: Number | None = None,
        offset: Number | None = None,
    ) -> Joint:
        """A rack's displacement tied to a pinion's rotation.

        Parameters
        ----------
        name : str
            Its own.
        joints : Sequence[JointName]
            the rack's translational joint, then the pinion's revolute joint.
        radius : Number
            of the pinion; negative when the rack moves the other way [m].
        offset : Number
            rack displacement - radius * pinion angle = offset [m]; default: its value in the
            reference configuration.
        """
        raise NotImplementedError

    @element("joints", "coupler", Joint, ["joints"])
    def coupler(
        self,
        name: str,
        joints: Sequence[JointName] | None = None,
        *,
        ratios: Numbers | None = None,
        coordinates: Sequence[Any] | None = None,
        offset: Number | None = None,
    ) -> Joint:
        """A linear relation between the coordinates of two or three joints.

        Parameters
        ----------
        name : str
            Its own.
        joints : Sequence[JointName]
            the two or three joints it couples.
        ratios : Numbers
            one number for each joint: sum of ratio * coordinate = offset [1, m or 1/m].
        coordinates : Sequence[Any]
            which coordinate of each joint, in the joint's axes (z is the joint axis); default: z
            for translational joints, rz for others.
        offset : Number
            sum of ratio * coordinate [m or rad]; default: its value in the reference configuration.
        """
        raise NotImplementedError

    @element("joints", "gear", Joint, ["joints"])
    def gear(
        self,
        name: str,
        joints: Sequence[JointName] | None = None,
        *,
        ratios: Numbers | None = None,
        coordinates: Sequence[Any] | None = None,
        offset: Number | None = None,
    ) -> Joint:
        """The same as a coupler, under the name usual for two revolutes.

        Parameters
        ----------
        name : str
            Its own.
        joints : Sequence[JointName]
            the two or three joints it couples.
        ratios : Numbers
            one number for each joint: sum of ratio * coordinate = offset [1, m or 1/m].
        coordinates : Sequence[Any]
            which coordinate of each joint, in the joint's axes (z is the joint axis); default: z
            for translational joints, rz for others.
        offset : Number
            sum of ratio * coordinate [m or rad]; default: its value in the reference configuration.
        """
        raise NotImplementedError

    @element("joints", "rod", Joint, ["first", "second"])
    def rod(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        length: Number | None = None,
    ) -> Joint:
        """A massless link with a ball at either end.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers whose distance it keeps.
        length : Number
            the distance [m].
        """
        raise NotImplementedError

    @element("joints", "inline", Joint, ["first", "second"])
    def inline(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
    ) -> Joint:
        """A point stays on a line.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        axis : Axis
            the line through the second marker on which the first stays, in the markers' own axes
            (with `at`: in the world): x, y, z, -x, -y, -z or a vector; default: z.
        """
        raise NotImplementedError

    @element("joints", "inplane", Joint, ["first", "second"])
    def inplane(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
    ) -> Joint:
        """A point stays in a plane.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        axis : Axis
            the normal of the plane through the second marker in which the first stays, in the
            markers' own axes (with `at`: in the world): x, y, z, -x, -y, -z or a vector; default:
            z.
        """
        raise NotImplementedError

    @element("joints", "parallel_axes", Joint, ["first", "second"])
    def parallel_axes(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
    ) -> Joint:
        """The axes of the two markers stay parallel.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        axis : Axis
            the joint's axis in the markers' own axes (with `at`: in the world): x, y, z, -x, -y, -z
            or a vector; default: z.
        """
        raise NotImplementedError

    @element("joints", "perpendicular_axes", Joint, ["first", "second"])
    def perpendicular_axes(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        axis: Axis | None = None,
    ) -> Joint:
        """The axes of the two markers stay perpendicular.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers.
        axis : Axis
            the axis, the same in both markers: in the markers' own axes (with `at`: in the world):
            x, y, z, -x, -y, -z or a vector; default: z.
        """
        raise NotImplementedError

    @element("joints", "constant_angle", Joint, ["first", "second"])
    def constant_angle(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        axis: Axis | None = None,
        angle: Number | None = None,
    ) -> Joint:
        """The axes of the two markers keep their angle.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers.
        axis : Axis
            the axis, the same in both markers: in the markers' own axes (with `at`: in the world):
            x, y, z, -x, -y, -z or a vector; default: z.
        angle : Number
            between the two axes; not 0 or 180 deg, which is what parallel_axes keeps [rad];
            default: its value in the reference configuration.
        """
        raise NotImplementedError

    @element("joints", "orientation", Joint, ["first", "second"])
    def orientation_joint(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        x: Number | None = None,
        y: Number | None = None,
        z: Number | None = None,
        vx: Number | None = None,
        vy: Number | None = None,
        vz: Number | None = None,
        cut: bool | None = None,
    ) -> Joint:
        """No relative rotation.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it joins; with `at`, the two bodies (or ground).
        at : Numbers
            the joint's point in the world, in the reference configuration; markers are then made
            there on both bodies, with axes as the world's [m].
        x : Number
            displacement along the joint's x axis, of the first body or marker relative to the
            second at the beginning; zero where the markers coincide [m]; default: none.
        y : Number
            the same along its y axis [m]; default: none.
        z : Number
            the same along its z axis [m]; default: none.
        vx : Number
            the rate of x [m/s]; default: none.
        vy : Number
            the rate of y [m/s]; default: none.
        vz : Number
            the rate of z [m/s]; default: none.
        cut : bool
            true: in relative coordinates the joint stays a constraint, so that a loop is cut here;
            without effect in other coordinates; default: false.
        """
        raise NotImplementedError

    @element("joints", "motion", Joint, ["joint"])
    def motion(
        self,
        name: str,
        joint: JointName | None = None,
        *,
        between: Sequence[Point] | None = None,
        along: Literal["x", "y", "z", "rx", "ry", "rz"] | None = None,
        function: Number | None = None,
    ) -> Joint:
        """A coordinate is driven as a function of time.

        Parameters
        ----------
        name : str
            Its own.
        joint : JointName
            the joint it drives; `along` then counts in the joint's axes (z is the joint axis).
        between : Sequence[Point]
            instead of joint: the two markers it drives, the first relative to the second.
        along : Literal["x", "y", "z", "rx", "ry", "rz"]
            displacement along an axis of the second marker (x, y, z) or rotation about it (rx, ry,
            rz); default: z on translational joints, rz on others.
        function : Number
            the coordinate as an expression of time, parameters and inputs [m or rad].
        """
        raise NotImplementedError

    @element("joints", "expression", Joint, ["expression"])
    def expression_joint(
        self,
        name: str,
        expression: Number | None = None,
    ) -> Joint:
        """A constraint of the user's own.

        Parameters
        ----------
        name : str
            Its own.
        expression : Number
            an expression of positions (DM, DX, AX, ...), time and parameters that is kept zero.
        """
        raise NotImplementedError

    @element("joints", "rolling", Joint, ["first", "second"])
    def rolling(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        radius: Number | None = None,
        tube_radius: Number | None = None,
    ) -> Joint:
        """A thin disc, a torus or a ball rolls on a plane without slip: it touches the plane, and
        where it touches, its material has no velocity along the plane's x and y.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the marker at the disc's centre, its z along the axle; then a marker in the plane, its z
            the plane's normal, pointing to the disc's side.
        radius : Number
            of the thin disc; of a torus, from its centre to the middle of the tube; 0 with a tube
            radius: a ball [m].
        tube_radius : Number
            of a torus: how far the tube's surface is from its middle [m]; default: 0.
        """
        raise NotImplementedError

    @element("joints", "knife_edge", Joint, ["first", "second"])
    def knife_edge(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
    ) -> Joint:
        """A blade: no velocity across it, free along it, and it may rotate. Nothing keeps it in a
        plane; a planar joint does.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the marker that does not slip along its own y axis, and the one relative to which.
        """
        raise NotImplementedError

    @element("joints", "velocity_coupler", Joint, ["joints"])
    def velocity_coupler(
        self,
        name: str,
        joints: Sequence[JointName] | None = None,
        *,
        ratios: Numbers | None = None,
        coordinates: Sequence[Any] | None = None,
    ) -> Joint:
        """A linear relation between the rates of the coordinates of two or three joints, such as
        gears by velocity; unlike a coupler it keeps no positions.

        Parameters
        ----------
        name : str
            Its own.
        joints : Sequence[JointName]
            the two or three joints it couples.
        ratios : Numbers
            one number for each joint: sum of ratio * rate of the coordinate = 0 [1, m or 1/m].
        coordinates : Sequence[Any]
            which coordinate of each joint, in the joint's axes (z is the joint axis); rx, ry, rz:
            the angular velocity about that axis; default: z for translational joints, rz for
            others.
        """
        raise NotImplementedError

    @element("joints", "nonholonomic", Joint, ["expressions"])
    def nonholonomic(
        self,
        name: str,
        expressions: Numbers | None = None,
        *,
        between: Sequence[Point] | None = None,
    ) -> Joint:
        """Constraints of the user's own between velocities.

        Parameters
        ----------
        name : str
            Its own.
        expressions : Numbers
            one to three expressions of positions and velocities (VX, WZ, VR, ...), time and
            parameters, linear in the velocities, that are kept zero.
        between : Sequence[Point]
            two markers, for messages and for FX, TX, ...: the force that keeps the expressions zero
            is then reported on the first; default: none.
        """
        raise NotImplementedError

    @element("loads", "spring", Load, ["first", "second"])
    def spring(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        free_length: Number | None = None,
        preload: Number | None = None,
        force: Number | None = None,
        table: Numbers | None = None,
        interpolation: Literal["monotone", "linear", "cubic"] | None = None,
    ) -> Load:
        """A spring, damper or actuator along the line between two markers.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers it pulls together or pushes apart.
        stiffness : Number
            force per extension [N/m]; default: 0.
        damping : Number
            force per rate of extension [N s/m]; default: 0.
        free_length : Number
            the length at which stiffness gives no force [m]; default: the length in the reference
            configuration.
        preload : Number
            force at the free length; positive pushes the markers apart [N]; default: 0.
        force : Number
            a further force that pushes the markers apart, as an expression of measures, signals and
            time [N].
        table : Numbers
            pairs [extension, force], extension counted from the free length and increasing; the
            force pulls the markers together, as stiffness * extension does; a curve goes through
            them and on along its last slopes [m, N].
        interpolation : Literal["monotone", "linear", "cubic"]
            how the curve goes through the points: monotone, smooth without extremes between points;
            linear, straight from point to point; cubic, a natural spline, smooth to its curvature,
            which may swing between points; default: monotone.
        """
        raise NotImplementedError

    @element("loads", "torsion_spring", Load, ["first", "second"])
    def torsion_spring(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        axis: Axis | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        free_angle: Number | None = None,
        preload: Number | None = None,
        torque: Number | None = None,
        table: Numbers | None = None,
        interpolation: Literal["monotone", "linear", "cubic"] | None = None,
    ) -> Load:
        """A spring, damper or actuator about an axis.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers; the torque acts on the first.
        at : Numbers
            a point in the world; `between` then names bodies (or ground), and markers are made
            there on both, with axes as the world's [m].
        axis : Axis
            the axis it rotates about in the markers' own axes (with `at`: in the world): x, y, z,
            -x, -y, -z or a vector; default: z.
        stiffness : Number
            torque per angle [N m/rad]; default: 0.
        damping : Number
            torque per rate of the angle [N m s/rad]; default: 0.
        free_angle : Number
            the angle at which stiffness gives no torque; the spring starts within half a revolution
            of it and counts its revolutions from there [rad]; default: the angle in the reference
            configuration.
        preload : Number
            torque on the first marker at the free angle [N m]; default: 0.
        torque : Number
            a further torque on the first marker, as an expression of measures, signals and time [N
            m].
        table : Numbers
            pairs [angle, torque], the angle counted from the free angle and increasing; the torque
            rotates the first marker back, as stiffness * angle does; a curve goes through them and
            on along its last slopes [rad, N m].
        interpolation : Literal["monotone", "linear", "cubic"]
            how the curve goes through the points: monotone, smooth without extremes between points;
            linear, straight from point to point; cubic, a natural spline, smooth to its curvature,
            which may swing between points; default: monotone.
        """
        raise NotImplementedError

    @element("loads", "bushing", Load, ["first", "second"])
    def bushing(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        at: Numbers | None = None,
        translation: Fields | None = None,
        rotation: Fields | None = None,
        stiffness: Numbers | None = None,
        damping: Numbers | None = None,
        preload: Numbers | None = None,
    ) -> Load:
        """Stiffness and damping in six directions between two markers.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the two markers; force and torque act on the first, and are resolved in the axes of the
            second.
        at : Numbers
            a point in the world; `between` then names bodies (or ground), and markers are made
            there on both, with axes as the world's [m].
        translation : Fields
            stiffness and damping against displacement.
            - ``stiffness``: one number for all directions, or [kx, ky, kz] [N/m]; default: 0.
            - ``damping``: one number for all directions, or [cx, cy, cz] [N s/m]; default: 0.
        rotation : Fields
            stiffness and damping against rotation.
            - ``stiffness``: one number for all axes, or three [N m/rad]; default: 0.
            - ``damping``: one number for all axes, or three [N m s/rad]; default: 0.
        stiffness : Numbers
            instead of translation and rotation: the whole matrix, 6 rows of 6 numbers, for (x, y,
            z, rx, ry, rz) [N/m, N, N m/rad].
        damping : Numbers
            the whole damping matrix, beside the whole stiffness matrix [N s/m, N s, N m s/rad].
        preload : Numbers
            force and torque on the first marker when the two coincide [N, N m]; default: 0.
        """
        raise NotImplementedError

    @element("loads", "beam", Load, ["first", "second"])
    def beam_element(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        length: Number | None = None,
        youngs_modulus: Number | None = None,
        shear_modulus: Number | None = None,
        area: Number | None = None,
        iyy: Number | None = None,
        izz: Number | None = None,
        torsion_constant: Number | None = None,
        shear_factor_y: Number | None = None,
        shear_factor_z: Number | None = None,
        damping_ratio: Number | None = None,
    ) -> Load:
        """A massless Timoshenko beam.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the beam's tip and its root; the beam lies along the root's x axis.
        length : Number
            unstrained length [m].
        youngs_modulus : Number
            E [Pa].
        shear_modulus : Number
            G [Pa].
        area : Number
            A, of the cross-section [m^2].
        iyy : Number
            second moment of area about the section's y axis: bending in the x-z plane [m^4].
        izz : Number
            second moment of area about the section's z axis: bending in the x-y plane [m^4].
        torsion_constant : Number
            J, so that the torsional stiffness is G J / length [m^4].
        shear_factor_y : Number
            area / shear area along y (6/5 for a rectangle, 10/9 for a circle); 0: no shear
            deformation (Euler-Bernoulli) [1]; default: 0.
        shear_factor_z : Number
            the same along z [1]; default: 0.
        damping_ratio : Number
            damping matrix = damping_ratio * stiffness matrix [s]; default: 0.
        """
        raise NotImplementedError

    @element("loads", "flexible_rod", Load, ["first", "second"])
    def flexible_rod(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        side: Numbers | None = None,
        stiffness: Numbers | None = None,
        damping: Numbers | None = None,
    ) -> Load:
        """A massless geometrically exact beam element, free of load in the reference configuration;
        neither end is preferred. Section `beams` makes whole beams of it.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            its two ends; x lies along the line between them.
        side : Numbers
            a direction in the world towards which the section's y points, as near as it can; the
            axes of the markers do not matter then; default: the mean of the markers' y axes.
        stiffness : Numbers
            of its section, 6 rows of 6 numbers, symmetric: force and moment (x, y, z) from strain
            (stretch, two shears) and curvature (twist, two bendings) [N, N m, N m^2].
        damping : Numbers
            the same from the rates of strain and curvature [N s, N m s, N m^2 s]; default: 0.
        """
        raise NotImplementedError

    @element("loads", "spectral_rod", Load, ["first", "second"])
    def spectral_rod(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        through: Sequence[Point] | None = None,
        side: Numbers | None = None,
        stiffness: Numbers | None = None,
        damping: Numbers | None = None,
    ) -> Load:
        """A massless geometrically exact beam element of higher order through several markers, free
        of load in the reference configuration, where it may be curved. Section `beams` makes whole
        beams of it.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            its two ends.
        through : Sequence[Point]
            a list of 1 to 7 markers between them, in order; with k of them its order is k + 1. They
            stand for its Gauss-Lobatto-Legendre points: in the reference configuration the axis is
            the polynomial through all of them.
        side : Numbers
            a direction in the world towards which the section's y points, as near as it can; the
            axes of the markers do not matter then; default: the mean of the ends' y axes.
        stiffness : Numbers
            of its section, 6 rows of 6 numbers, symmetric: force and moment (x, y, z) from strain
            (stretch, two shears) and curvature (twist, two bendings) [N, N m, N m^2].
        damping : Numbers
            the same from the rates of strain and curvature [N s, N m s, N m^2 s]; default: 0.
        """
        raise NotImplementedError

    @element("loads", "force", Load, ["on"])
    def force(
        self,
        name: str,
        on: Point | None = None,
        *,
        components: Numbers | None = None,
        resolved_in: Point | None = None,
        reaction_on: Point | None = None,
    ) -> Load:
        """A force on a marker.

        Parameters
        ----------
        name : str
            Its own.
        on : Point
            the marker it acts on.
        components : Numbers
            three expressions of measures, signals, time and parameters [N].
        resolved_in : Point
            the marker whose axes the components are in; the marker it acts on makes it follow the
            body; default: ground.
        reaction_on : Point
            a marker whose body takes the opposite force, at the same point of space as `on`;
            default: none.
        """
        raise NotImplementedError

    @element("loads", "torque", Load, ["on"])
    def torque(
        self,
        name: str,
        on: Point | None = None,
        *,
        components: Numbers | None = None,
        resolved_in: Point | None = None,
        reaction_on: Point | None = None,
    ) -> Load:
        """A torque on a marker.

        Parameters
        ----------
        name : str
            Its own.
        on : Point
            the marker it acts on.
        components : Numbers
            three expressions of measures, signals, time and parameters [N m].
        resolved_in : Point
            the marker whose axes the components are in; the marker it acts on makes it follow the
            body; default: ground.
        reaction_on : Point
            a marker whose body takes the opposite torque; default: none.
        """
        raise NotImplementedError

    @element("loads", "tyre", Load, ["first", "second"])
    def tyre(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        radius: Number | None = None,
        preload: Number | None = None,
        tube_radius: Number | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        no_tension: bool | None = None,
        effective_radius: Number | None = None,
        low_speed: Number | None = None,
        relaxation_length: Number | None = None,
        longitudinal_relaxation_length: Number | None = None,
        drive_force: Number | None = None,
        cornering_stiffness: Number | None = None,
        cornering_coefficient: Number | None = None,
        camber_stiffness: Number | None = None,
        camber_coefficient: Number | None = None,
        slip_stiffness: Number | None = None,
        slip_coefficient: Number | None = None,
        trail: Number | None = None,
    ) -> Load:
        """A tyre on a flat road: a radial spring, and forces that are linear in slip and camber.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the marker at the wheel's centre, its z along the axle; then a marker in the road, its z
            the road's normal, pointing to the wheel's side.
        radius : Number
            of the thin disc when no load is on it; with a tube_radius, from the wheel's centre to
            the middle of the tube [m].
        preload : Number
            instead of radius: the normal force in the reference configuration, from which the
            radius follows [N].
        tube_radius : Number
            of a torus: half the width of its round tread [m]; default: 0.
        stiffness : Number
            radial force per deflection [N/m].
        damping : Number
            radial force per rate of the deflection [N s/m]; default: 0.
        no_tension : bool
            true: the road pushes only, and where the radial force would pull it is zero; default:
            false.
        effective_radius : Number
            rolling radius: speed over spin of the free wheel [m]; default: the loaded one.
        low_speed : Number
            slip is a sliding velocity over the wheel's speed; below this speed over one that does
            not vanish: half of it plus half the speed's square over it [m/s]; default: 0.1.
        relaxation_length : Number
            the distance in which the lateral slip comes up; it is then a state, `name.lateral_slip`
            [m]; default: none: the side force follows at once.
        longitudinal_relaxation_length : Number
            the same of the longitudinal slip, `name.longitudinal_slip` [m]; default: none.
        drive_force : Number
            of a wheel whose spin is not in the model: the longitudinal force, as an expression of
            measures, signals and time [N]; default: none.
        cornering_stiffness : Number
            side force per tangent of the slip angle [N/rad]; default: 0.
        cornering_coefficient : Number
            the same per normal force, added to it [1/rad]; default: 0.
        camber_stiffness : Number
            lateral force per camber angle, to the side of the camber [N/rad]; default: 0.
        camber_coefficient : Number
            the same per normal force, added to it [1/rad]; default: 0.
        slip_stiffness : Number
            longitudinal force per longitudinal slip [N]; default: 0.
        slip_coefficient : Number
            the same per normal force, added to it [1]; default: 0.
        trail : Number
            pneumatic trail: how far behind the contact point the side force acts [m]; default: 0.
        """
        raise NotImplementedError

    @element("loads", "magic_formula_tyre", Load, ["first", "second"])
    def magic_formula_tyre(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        radius: Number | None = None,
        preload: Number | None = None,
        tube_radius: Number | None = None,
        stiffness: Number | None = None,
        damping: Number | None = None,
        no_tension: bool | None = None,
        effective_radius: Number | None = None,
        low_speed: Number | None = None,
        relaxation_length: Number | None = None,
        longitudinal_relaxation_length: Number | None = None,
        drive_force: Number | None = None,
        lateral: Fields | None = None,
        longitudinal: Fields | None = None,
    ) -> Load:
        """The same with the magic formula, D sin(C atan(Bx - E(Bx - atan Bx))), for the lateral and
        the longitudinal force.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the marker at the wheel's centre, its z along the axle; then a marker in the road, its z
            the road's normal, pointing to the wheel's side.
        radius : Number
            of the thin disc when no load is on it; with a tube_radius, from the wheel's centre to
            the middle of the tube [m].
        preload : Number
            instead of radius: the normal force in the reference configuration, from which the
            radius follows [N].
        tube_radius : Number
            of a torus: half the width of its round tread [m]; default: 0.
        stiffness : Number
            radial force per deflection [N/m].
        damping : Number
            radial force per rate of the deflection [N s/m]; default: 0.
        no_tension : bool
            true: the road pushes only, and where the radial force would pull it is zero; default:
            false.
        effective_radius : Number
            rolling radius: speed over spin of the free wheel [m]; default: the loaded one.
        low_speed : Number
            slip is a sliding velocity over the wheel's speed; below this speed over one that does
            not vanish: half of it plus half the speed's square over it [m/s]; default: 0.1.
        relaxation_length : Number
            the distance in which the lateral slip comes up; it is then a state, `name.lateral_slip`
            [m]; default: none: the side force follows at once.
        longitudinal_relaxation_length : Number
            the same of the longitudinal slip, `name.longitudinal_slip` [m]; default: none.
        drive_force : Number
            of a wheel whose spin is not in the model: the longitudinal force, as an expression of
            measures, signals and time [N]; default: none.
        lateral : Fields
            the curve of the side force over the tangent of the slip angle.
            - ``stiffness_coefficient``: slope B C D of the curve at no slip, per normal force,
            under a small normal force [1/rad or 1].
            - ``peak_load``: the normal force at which the slope is largest [N]; default: none: the
            slope is proportional to the normal force.
            - ``friction``: height D of the curve's peak, per normal force, under a small normal
            force [1].
            - ``friction_slope``: its change with the normal force [1/N]; default: 0.
            - ``shape``: C [1].
            - ``curvature``: E, under a small normal force [1]; default: 0.
            - ``curvature_slope``: its change with the normal force [1/N]; default: 0.
            - ``camber_shift``: lateral slip equivalent to camber, per radian [1/rad]; default: 0.
            - ``trail``: pneumatic trail at no slip [m]; default: 0.
            - ``trail_shape``: C of the trail's cosine; 0: the trail does not change [1]; default:
            0.
            - ``trail_stiffness``: B of the trail's cosine [1/rad]; default: 0.
        longitudinal : Fields
            the curve of the longitudinal force over the longitudinal slip; default: none: no
            longitudinal slip.
            - ``stiffness_coefficient``: slope B C D of the curve at no slip, per normal force,
            under a small normal force [1/rad or 1].
            - ``peak_load``: the normal force at which the slope is largest [N]; default: none: the
            slope is proportional to the normal force.
            - ``friction``: height D of the curve's peak, per normal force, under a small normal
            force [1].
            - ``friction_slope``: its change with the normal force [1/N]; default: 0.
            - ``shape``: C [1].
            - ``curvature``: E, under a small normal force [1]; default: 0.
            - ``curvature_slope``: its change with the normal force [1/N]; default: 0.
        """
        raise NotImplementedError

    @element("loads", "friction", Load, ["joint"])
    def friction(
        self,
        name: str,
        joint: JointName | None = None,
        *,
        static_coefficient: Number | None = None,
        dynamic_coefficient: Number | None = None,
        static_level: Number | None = None,
        dynamic_level: Number | None = None,
        stiction_velocity: Number | None = None,
        dynamic_velocity: Number | None = None,
        viscous: Number | None = None,
        radius: Number | None = None,
        length: Number | None = None,
        thrust_radius: Number | None = None,
        preload: Number | None = None,
        reaction: bool | None = None,
        smoothing: Number | None = None,
    ) -> Load:
        """Dry and viscous friction of a joint, with a slope in the place of the jump at rest.

        Parameters
        ----------
        name : str
            Its own.
        joint : JointName
            the joint that rubs: revolute, translational, cylindrical, spherical, universal.
        static_coefficient : Number
            friction per normal force up to which it sticks [1].
        dynamic_coefficient : Number
            friction per normal force in fast slip [1]; default: static_coefficient.
        static_level : Number
            instead of coefficients: the force of a translational joint, the torque of others, up to
            which it sticks, whatever presses it; slip is then counted in m/s or rad/s [N or N m].
        dynamic_level : Number
            the same in fast slip [N or N m]; default: static_level.
        stiction_velocity : Number
            the slope at rest is static friction per this speed of slip; small beside the speeds
            that matter [m/s or rad/s].
        dynamic_velocity : Number
            the speed of slip over which friction falls from static to dynamic, by 1/e [m/s or
            rad/s]; default: 10 * stiction_velocity.
        viscous : Number
            friction per slip, beside the dry one [N s/m or N m s/rad]; default: 0.
        radius : Number
            of the surface that rubs: a pin, a ball; of a translational joint, the arm at which a
            torque about the axis is carried [m].
        length : Number
            between the two ends of the bearing, which share the radial force so that they also
            carry its moment; without it moments do not press [m].
        thrust_radius : Number
            of the shoulder of a revolute joint, which the axial force presses [m]; default: no
            friction of thrust.
        preload : Number
            normal force beside that of the reaction [N]; default: 0.
        reaction : bool
            false: the joint's reaction does not press, the preload alone; default: true.
        smoothing : Number
            e of the normal force sqrt(F^2 + e^2), so that it is smooth where F is zero [N];
            default: 0.001.
        """
        raise NotImplementedError

    @element("loads", "contact", Load, ["first", "second"])
    def contact(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        radius: Number | None = None,
        other_radius: Number | None = None,
        stiffness: Number | None = None,
        exponent: Number | None = None,
        damping: Number | None = None,
        static_coefficient: Number | None = None,
        dynamic_coefficient: Number | None = None,
        stiction_velocity: Number | None = None,
        dynamic_velocity: Number | None = None,
    ) -> Load:
        """A sphere that may touch a plane or another sphere.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the marker at the sphere's centre; then a marker in the plane, its z the normal that
            points to the sphere's side, or at the centre of another sphere.
        radius : Number
            of the sphere [m].
        other_radius : Number
            of the second sphere [m]; default: none: a plane.
        stiffness : Number
            k of the force k d^exponent (1 + 3/2 damping d'), d how far it is pressed in; it never
            pulls [N/m^exponent].
        exponent : Number
            from 1 to 10; 1.5 is Hertz' for round bodies, 1 a linear stop [1]; default: 1.5.
        damping : Number
            by how much of itself 3/2 of the speed adds to the force; about the loss of restitution
            per speed of impact [s/m]; default: 0.
        static_coefficient : Number
            friction per normal force up to which it sticks [1].
        dynamic_coefficient : Number
            friction per normal force in fast slip [1]; default: static_coefficient.
        stiction_velocity : Number
            the slope at rest is static friction per this speed of slip; small beside the speeds
            that matter [m/s].
        dynamic_velocity : Number
            the speed of slip over which friction falls from static to dynamic, by 1/e [m/s];
            default: 10 * stiction_velocity.
        """
        raise NotImplementedError

    @element("loads", "limit", Load, ["joint"])
    def limit(
        self,
        name: str,
        joint: JointName | None = None,
        *,
        coordinate: Literal["z", "rz"] | None = None,
        lower: Number | None = None,
        upper: Number | None = None,
        stiffness: Number | None = None,
        exponent: Number | None = None,
        damping: Number | None = None,
    ) -> Load:
        """Stops of a joint's coordinate.

        Parameters
        ----------
        name : str
            Its own.
        joint : JointName
            the joint that has stops: revolute, translational, cylindrical.
        coordinate : Literal["z", "rz"]
            displacement along the joint's axis or rotation about it, of the first marker relative
            to the second; rotation counts revolutions; default: z on translational joints, rz on
            others.
        lower : Number
            where the stop below begins [m or rad]; default: none.
        upper : Number
            where the stop above begins [m or rad]; default: none.
        stiffness : Number
            k of the force k p^exponent (1 + 3/2 damping p'), p how far it is pressed in; it never
            pulls [N/m^exponent or N m/rad^exponent].
        exponent : Number
            from 1 to 10; 1.5 is Hertz' for round bodies, 1 a linear stop [1]; default: 1.
        damping : Number
            by how much of itself 3/2 of the speed adds to the force; about the loss of restitution
            per speed of impact [s/m or s/rad]; default: 0.
        """
        raise NotImplementedError

    @element("loads", "drag", Load, ["first", "second"])
    def drag(
        self,
        name: str,
        first: Point | None = None,
        second: Point | None = None,
        *,
        between: Sequence[Point] | None = None,
        coefficient: Number | None = None,
    ) -> Load:
        """Drag that grows with the square of the velocity.

        Parameters
        ----------
        name : str
            Its own.
        first : Point
            The first of the two in `between`.
        second : Point
            The second of the two in `between`.
        between : Sequence[Point]
            the marker that is slowed down, and the marker whose body carries the medium: ground
            where it is at rest.
        coefficient : Number
            c of the force c v^2 against the velocity v: density * drag coefficient * area / 2 [N
            s^2/m^2].
        """
        raise NotImplementedError

    @element("parts", None, Part, ["file"])
    def part(
        self,
        name: str,
        file: str | None = None,
        *,
        at: Numbers | None = None,
        orientation: Orientation | None = None,
        mirror: Literal["x", "y", "z"] | None = None,
        spin: Fields | None = None,
        set: Fields | None = None,
        connect: Fields | None = None,
        first: Fields | None = None,
        inputs: Fields | None = None,
        count: Number | None = None,
        step: Numbers | None = None,
        axis: Numbers | None = None,
        about: Numbers | None = None,
        angle: Number | None = None,
        index: str | None = None,
        variants: Fields | None = None,
        variant: str | None = None,
    ) -> Part:
        """One of the parts: model files used as parts.

        Parameters
        ----------
        name : str
            Its own.
        file : str
            the part file: a path from the folder of this file, or in a folder of ROUTH_LIBRARY.
        at : Numbers
            where the origin of its frame lies [m]; default: [0, 0, 0].
        orientation : Orientation
            how its frame stands; default: as the frame around it.
        mirror : Literal["x", "y", "z"]
            the axis of its own frame across which it is reflected before it is placed: y makes a
            left part of a right one where x points forward and z up; default: none.
        spin : Fields
            the rotation of its frame at the beginning: of all its bodies, and velocities written in
            its file are relative to it; default: none.
            - ``axis``: the direction of the axis, in the axes of `at`.
            - ``rate``: the rate of rotation about it [rad/s].
            - ``about``: a point of the axis, in the frame of `at` [m]; default: the origin of its
            frame.
        set : Fields
            values of its parameters, each a number or an expression of parameters here; default: as
            its file says.
        connect : Fields
            for each of its `connections` a body or marker here; in an array previous.NAME is NAME
            of the part before; default: none.
        first : Fields
            connections of the first part of an array, where they differ; default: none.
        inputs : Fields
            for inputs of the part an expression of signals and measures here; others stay inputs of
            the model, NAME.INPUT; default: none.
        count : Number
            how many: parts name.1, name.2, ..; a whole number [1]; default: one part, no array.
        step : Numbers
            from one part of an array to the next [m]; default: [0, 0, 0].
        axis : Numbers
            the direction about which each part of an array is rotated against the one before.
        about : Numbers
            a point of that axis [m]; default: [0, 0, 0].
        angle : Number
            that rotation, such as 360 deg/12 [rad].
        index : str
            a name that stands for 1, 2, .. in the numbers and expressions of this part; default:
            none.
        variants : Fields
            other files, values and places, each set of them under a name; default: those of its
            file.
            - ``file``: another part file; default: that of the part.
            - ``variant``: one of the `variants` of that file; default: as its file says.
            - ``set``: values of parameters, beside those of the part and in place of them; default:
            those of the part.
            - ``connect``: connections, likewise; default: those of the part.
            - ``first``: connections of the first part of an array, likewise; default: those of the
            part.
            - ``inputs``: expressions for inputs, likewise; default: those of the part.
            - ``at``: where the origin of its frame lies [m]; default: that of the part.
            - ``orientation``: how its frame stands; default: that of the part.
            - ``mirror``: the axis across which it is reflected; default: that of the part.
        variant : str
            which of its `variants` it is; where it has none, which of those of its file; default:
            none.
        """
        raise NotImplementedError

    @element("inputs", None, Signal, ["value"])
    def input(
        self,
        name: str,
        value: Number | None = None,
        *,
        unit: str | None = None,
    ) -> Signal:
        """One of the inputs: what acts from outside: the columns of B and D.

        Parameters
        ----------
        name : str
            Its own.
        value : Number
            at the operating point; an input with a history in `simulate` has its history's value
            instead; default: 0.
        unit : str
            its unit, of those that `units` makes, for tables; nothing is converted; default: none.
        """
        raise NotImplementedError

    @element("outputs", None, Signal, ["expression"])
    def output(
        self,
        name: str,
        expression: Number | None = None,
        *,
        unit: str | None = None,
    ) -> Signal:
        """One of the outputs: what is measured: the rows of C and D.

        Parameters
        ----------
        name : str
            Its own.
        expression : Number
            of measures (accelerations and forces of joints too), signals, time and parameters.
        unit : str
            its unit, of those that `units` makes, for tables; nothing is converted; default: none.
        """
        raise NotImplementedError

    @element("variables", None, Signal, ["expression"])
    def variable(
        self,
        name: str,
        expression: Number | None = None,
        *,
        guess: Number | None = None,
        unit: str | None = None,
    ) -> Signal:
        """One of the variables: named expressions, which may need each other.

        Parameters
        ----------
        name : str
            Its own.
        expression : Number
            of measures, signals, time and parameters.
        guess : Number
            where the search for its value begins, where variables need each other; default: 0.
        unit : str
            its unit, of those that `units` makes, for tables; nothing is converted; default: none.
        """
        raise NotImplementedError

    @element("controllers", "differential", Controller, ["rate"])
    def differential_controller(
        self,
        name: str,
        rate: Number | None = None,
        *,
        initial: Number | None = None,
        unit: str | None = None,
    ) -> Controller:
        """One explicit differential equation; the controller's name is that of its state.

        Parameters
        ----------
        name : str
            Its own.
        rate : Number
            of measures, signals, time and parameters, the state itself among them by its name.
        initial : Number
            the state at the operating point; default: found, so that the state rests.
        unit : str
            its unit, of those that `units` makes, for tables; nothing is converted; default: none.
        """
        raise NotImplementedError

    @element("controllers", "implicit", Controller, ["equation"])
    def implicit_controller(
        self,
        name: str,
        equation: Number | None = None,
        *,
        initial: Number | None = None,
        unit: str | None = None,
    ) -> Controller:
        """One implicit differential equation; the controller's name is that of its state.

        Parameters
        ----------
        name : str
            Its own.
        equation : Number
            what is zero: an expression of the state's name, its rate RATE(name), measures, signals,
            time and parameters.
        initial : Number
            the state at the operating point; default: found, so that the state rests.
        unit : str
            its unit, of those that `units` makes, for tables; nothing is converted; default: none.
        """
        raise NotImplementedError

    @element("controllers", "state_space", Controller, ["inputs"])
    def state_space_controller(
        self,
        name: str,
        inputs: Number | Numbers | None = None,
        *,
        A: Numbers | None = None,
        B: Numbers | None = None,
        C: Numbers | None = None,
        D: Numbers | None = None,
        states: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        initial: Numbers | None = None,
    ) -> Controller:
        """X' = A x + B u, y = C x + D u.

        Parameters
        ----------
        name : str
            Its own.
        inputs : Number | Numbers
            the expressions u, in a list.
        A : Numbers
            rows of numbers, one row and column for each state.
        B : Numbers
            one row for each state, one column for each input.
        C : Numbers
            one row for each output, one column for each state.
        D : Numbers
            one row for each output, one column for each input; default: zero.
        states : Sequence[str]
            their names; in expressions controller.name; default: [x1, x2, ...].
        outputs : Sequence[str]
            their names; in expressions controller.name; default: [y1, y2, ...].
        initial : Numbers
            the states at the operating point, a number for each; default: found, so that the states
            rest.
        """
        raise NotImplementedError

    @element("controllers", "transfer_function", Controller, ["input"])
    def transfer_function_controller(
        self,
        name: str,
        input: Number | None = None,
        *,
        numerator: Numbers | None = None,
        denominator: Numbers | None = None,
        initial: Numbers | None = None,
        unit: str | None = None,
    ) -> Controller:
        """Numerator(s)/denominator(s) from the input to the output, which has the controller's
        name; the states are controller.x1, controller.x2, ...

        Parameters
        ----------
        name : str
            Its own.
        input : Number
            an expression of measures, signals, time and parameters.
        numerator : Numbers
            coefficients of powers of s, the highest first.
        denominator : Numbers
            the same; its degree is at least that of the numerator.
        initial : Numbers
            the states at the operating point, a number for each: w, w', w'', ... with
            denominator(s) w = input; default: found, so that the states rest.
        unit : str
            its unit, of those that `units` makes, for tables; nothing is converted; default: none.
        """
        raise NotImplementedError

    @element("controllers", "general", Controller, ["states"])
    def general_controller(
        self,
        name: str,
        states: Fields | None = None,
        *,
        outputs: Fields | None = None,
    ) -> Controller:
        """Several differential equations and outputs of your own.

        Parameters
        ----------
        name : str
            Its own.
        states : Fields
            the states, each under its name; in expressions controller.name.
            - ``rate``: of measures, signals, time and parameters.
            - ``initial``: the state at the operating point; default: found, so that the state
            rests.
            - ``unit``: its unit, of those that `units` makes, for tables; nothing is converted;
            default: none.
        outputs : Fields
            the outputs, each under its name; in expressions controller.name; default: none.
            - ``expression``: of measures, signals, time and parameters.
            - ``unit``: its unit, of those that `units` makes, for tables; nothing is converted;
            default: none.
        """
        raise NotImplementedError

    @element("controllers", "pid", Controller, ["input"])
    def pid_controller(
        self,
        name: str,
        input: Number | None = None,
        *,
        proportional: Number | None = None,
        integral: Number | None = None,
        derivative: Number | None = None,
        filter: Number | None = None,
        initial: Number | None = None,
        unit: str | None = None,
    ) -> Controller:
        """Proportional + integral/s + derivative s/(filter s + 1), from the input to the output,
        which has the controller's name.

        Parameters
        ----------
        name : str
            Its own.
        input : Number
            an expression of measures, signals, time and parameters.
        proportional : Number
            output per input; default: 0.
        integral : Number
            output per integral of the input, which is the state controller.integral; default: none.
        derivative : Number
            output per rate of the input; the rate is that of a filter, (input - x)/filter, with the
            filtered input x as the state controller.derivative; default: none.
        filter : Number
            time constant of that filter [s].
        initial : Number
            controller.integral at the operating point; default: found, so that the input is zero.
        unit : str
            its unit, of those that `units` makes, for tables; nothing is converted; default: none.
        """
        raise NotImplementedError

    @element("controllers", "gain", Controller, ["input"])
    def gain_controller(
        self,
        name: str,
        input: Number | None = None,
        *,
        gain: Number | None = None,
        lower: Number | None = None,
        upper: Number | None = None,
        dead_zone: Number | None = None,
        unit: str | None = None,
    ) -> Controller:
        """A factor with limits and a dead zone; the output has the controller's name. The linear
        model has the slope at the operating point, with a warning on a non-smooth point.

        Parameters
        ----------
        name : str
            Its own.
        input : Number
            an expression of measures, signals, time and parameters.
        gain : Number
            output per input; default: 1.
        lower : Number
            the output does not fall below this; default: none.
        upper : Number
            the output does not rise above this; default: none.
        dead_zone : Number
            an input within so much of zero gives no output, a larger one counts from there;
            default: 0.
        unit : str
            its unit, of those that `units` makes, for tables; nothing is converted; default: none.
        """
        raise NotImplementedError

    @element("controllers", "lag", Controller, ["input"])
    def lag_controller(
        self,
        name: str,
        input: Number | None = None,
        *,
        time_constant: Number | None = None,
        gain: Number | None = None,
        initial: Number | None = None,
        unit: str | None = None,
    ) -> Controller:
        """A first-order lag, gain/(time_constant s + 1) from the input to the state, which has the
        controller's name.

        Parameters
        ----------
        name : str
            Its own.
        input : Number
            an expression of measures, signals, time and parameters.
        time_constant : Number
            after a step, the rest falls by e in this time [s].
        gain : Number
            the state per input where nothing changes; default: 1.
        initial : Number
            the state at the operating point; default: found, so that the state rests.
        unit : str
            its unit, of those that `units` makes, for tables; nothing is converted; default: none.
        """
        raise NotImplementedError

    @section("operating_point", ["type"])
    def set_operating_point(
        self,
        type: Literal["given", "static", "steady"] | None = None,
        *,
        time: Number | None = None,
        accept_unstable: bool | None = None,
    ) -> None:
        """The state that is linearized about.

        Parameters
        ----------
        type : Literal["given", "static", "steady"]
            given: the initial state, with positions assembled and velocities made consistent;
            static: a stable static equilibrium near it; steady: a steady motion near it, of which
            `steady` says more; default: given.
        time : Number
            the time at which functions are taken [s]; default: 0.
        accept_unstable : bool
            static: accept an equilibrium that is unstable, with a warning, instead of searching for
            a stable one beside it; default: false.
        """
        raise NotImplementedError

    @section("steady", [])
    def set_steady(
        self,
        *,
        axis: Axis | None = None,
        turn_rate: Number | None = None,
        accelerated: bool | None = None,
        spins: Fields | None = None,
        prescribed: Fields | None = None,
        free: Sequence[str | Expression] | None = None,
        drifting: Sequence[str | Expression] | None = None,
    ) -> None:
        """The steady motion that is looked for.

        Parameters
        ----------
        axis : Axis
            the axis of the rotation, in world axes; default: against gravity, else z.
        turn_rate : Number
            the rate at which the moving frame rotates about it; 0 for motion straight on [rad/s];
            default: found.
        accelerated : bool
            the moving frame has a constant acceleration, which is found; of prescribed motions with
            an acceleration it always has; default: false.
        spins : Fields
            bodies that rotate steadily in the moving frame, each under its name: wheels, rotors;
            default: none.
            - ``axis``: the axis it rotates about, in the body's own axes, through its centre of
            mass.
            - ``rate``: of the rotation against the moving frame [rad/s]; default: found.
        prescribed : Fields
            what the motion must be, such as a speed, each under a name of your own; default: none.
            - ``expression``: a measure of the motion, or any expression of measures, signals and
            parameters.
            - ``value``: what it must be; default: 0.
            - ``unit``: its unit, of those that `units` makes, for tables; nothing is converted;
            default: none.
        free : Sequence[str | Expression]
            inputs and parameters of expressions that are looked for; a parameter becomes an input
            by it; default: none.
        drifting : Sequence[str | Expression]
            states of controllers whose rates need not be zero, such as a distance driven; default:
            none.
        """
        raise NotImplementedError

    @section("linearize", [])
    def set_linearize(
        self,
        *,
        reference: Point | None = None,
        coordinates: Fields | None = None,
        states: Sequence[str | Expression] | None = None,
        velocities: Sequence[str | Expression] | None = None,
    ) -> None:
        """Reference frame and states.

        Parameters
        ----------
        reference : Point
            the marker from which the motion is seen; default: ground, or the moving frame of a
            steady motion that rotates.
        coordinates : Fields
            states of your own, each under its name; default: none.
            - ``expression``: of positions and angles (DX, DM, AZ, ...), time and parameters.
            - ``unit``: its unit, of those that `units` makes, for tables; nothing is converted;
            default: none.
        states : Sequence[str | Expression]
            coordinates preferred as states: names of `coordinates`, and body.x, .y, .z, .rx, .ry or
            .rz; of flexible bodies elastic ones too, such as body.5.y or body.mode 3; default:
            chosen by the program.
        velocities : Sequence[str | Expression]
            of the same names: those whose rates are preferred as velocity states, where rolling and
            the like leave fewer of them than positions; default: chosen by the program.
        """
        raise NotImplementedError

    @section("simulate", [])
    def set_simulate(
        self,
        *,
        end: Number | None = None,
        every: Number | None = None,
        integrator: str | None = None,
        tolerance: Number | None = None,
        step: Number | None = None,
        largest_step: Number | None = None,
        inputs: Fields | None = None,
    ) -> None:
        """How a run in time is made.

        Parameters
        ----------
        end : Number
            the time at which the run ends; it begins at the operating point, at its time [s];
            default: asked for.
        every : Number
            the time between records [s]; default: chosen by the program.
        integrator : str
            the name of the integrator; default: chosen by the program.
        tolerance : Number
            relative, of the error of a step [1]; default: chosen by the program.
        step : Number
            steps of this one length [s]; default: as the tolerance asks.
        largest_step : Number
            no step is longer [s]; default: none.
        inputs : Fields
            the histories of inputs, each under its input's name. Such an input has its history's
            value, and its rates, at the operating point too, whatever its `value` says; in a static
            equilibrium and a steady motion its rates are zero; default: every input keeps its
            value.
            - ``expression``: of time and parameters; default: none.
            - ``table``: pairs [time, value], times increasing; a curve goes through them and on
            along its last slopes [s and the input's]; default: none.
            - ``interpolation``: how the curve goes through the points: monotone, smooth without
            extremes between points; linear, straight from point to point; cubic, a natural spline,
            smooth to its curvature, which may swing between points; for inputs of motions, whose
            accelerations the others let jump; default: monotone.
        """
        raise NotImplementedError

    @element("events", None, Event, ["when"])
    def event(
        self,
        name: str,
        when: Number | None = None,
        *,
        direction: Literal["both", "rising", "falling"] | None = None,
        action: Literal["record", "stop", "set"] | None = None,
        input: str | None = None,
        value: Number | None = None,
    ) -> Event:
        """One of the events: what happens in a run when an expression crosses zero.

        Parameters
        ----------
        name : str
            Its own.
        when : Number
            the expression that crosses zero: of measures, signals, time and parameters.
        direction : Literal["both", "rising", "falling"]
            rising: from negative to positive; falling: the other way; default: both.
        action : Literal["record", "stop", "set"]
            record: the moment is recorded; stop: the run ends there too; set: from then on `input`
            has the value `value`; default: record.
        input : str
            the input that `set` gives another value; its history, if it has one, is over then;
            default: none.
        value : Number
            that value, taken once at the event: of measures, signals, time and parameters; default:
            none.
        """
        raise NotImplementedError
