#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenMM: boxes of water with PME in three precisions; energy and forces at the start are those of OpenMM's reference
platform.
"""
import time

import ladder

# nanometres, precision, steps
BOXES = [(3, 'single', 200), (3, 'mixed', 200), (3, 'double', 200), (5, 'mixed', 60)]


def box(size):
    """(topology, positions, system)"""
    import openmm
    from openmm import app, unit
    field = app.ForceField('tip3pfb.xml')
    water = app.Modeller(app.Topology(), [])
    water.addSolvent(field, boxSize=openmm.Vec3(size, size, size) * unit.nanometer)
    system = field.createSystem(water.topology, nonbondedMethod=app.PME, nonbondedCutoff=0.9 * unit.nanometer,
                                constraints=app.HBonds)
    return water.topology, water.positions, system


def simulation(topology, positions, system, platform, properties):
    import openmm
    from openmm import app, unit
    integrator = openmm.LangevinMiddleIntegrator(300 * unit.kelvin, 1 / unit.picosecond, 0.002 * unit.picoseconds)
    integrator.setRandomNumberSeed(1)
    made = app.Simulation(topology, system, integrator, openmm.Platform.getPlatformByName(platform), properties)
    made.context.setPositions(positions)
    return made


def start(made):
    """Energy and forces in OpenMM's units."""
    from openmm import unit
    state = made.context.getState(getEnergy=True, getForces=True)
    return (state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole),
            state.getForces(asNumpy=True).value_in_unit(unit.kilojoule_per_mole / unit.nanometer))


def measure(water, wanted, precision, steps):
    """`wanted` are energy and forces at the start."""
    import numpy
    since = time.perf_counter()
    made = simulation(*water, 'OpenCL', {'Precision': precision})
    energy, forces = start(made)
    made.step(5)
    first = time.perf_counter() - since
    error = numpy.linalg.norm(forces - wanted[1]) / numpy.linalg.norm(wanted[1])

    def steps_done():
        made.step(steps)
        made.context.getState(getEnergy=True)
    speed = steps * 0.002e-3 * 86400 / ladder.best(steps_done, 3)
    after = start(made)[0]
    good = abs(energy - wanted[0]) < 1e-4 * abs(wanted[0]) and error < 1e-3 and abs(after) < 3 * abs(energy)
    name = f'{water[2].getNumParticles()} atoms, {precision}'
    ladder.say(name, speed, 'ns/day', good, f'energy {energy:.1f}, {wanted[0]:.1f}; forces {error:.1e} apart')
    ladder.say(f'{name}, until the first steps are done', first, 's', good)


def inside():
    boxes = {}
    for size, precision, steps in BOXES:
        if size not in boxes:
            water = box(size)
            boxes[size] = water, start(simulation(*water, 'Reference', {}))
        measure(*boxes[size], precision, steps)


def run(app):
    app.inside(app.pip('openmm', 'numpy'), seconds=3600)


if __name__ == '__main__':
    ladder.main(run, inside)
