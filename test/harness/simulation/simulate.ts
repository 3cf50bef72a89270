/**
 * A simulation of the native engine: random operations, crashes, full and failing disks, and damage at the end, on a file
 * system in memory. A seed decides everything, so that a failure can be repeated.
 */

import { strict as assert } from 'node:assert'
import { isHBaseError } from '../../../src/model/errors.ts'
import type { PlantedBug } from './crashable-file-system.ts'
import { damageSomeFile } from './sim-damage.ts'
import { SIM_OPERATIONS, type SimOperation } from './sim-operations.ts'
import { checkSnapshots } from './sim-tables.ts'
import { dumpTable, SimWorld } from './sim-world.ts'

const STEPS_MAX = 60
const STEP_MS_MAX = 60_000

export class SimFailure extends Error {
  override readonly name = 'SimFailure'

  constructor(seed: number, trail: readonly string[], cause: unknown) {
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    super(
      `seed ${seed} fails at step ${trail.length} (${trail.at(-1)}): ${reason}\n  steps: ${trail.join(', ')}\n  again: npm run sim -- --seed ${seed} --episodes 1`,
      { cause },
    )
  }
}

/** One store, from its creation to its damage. Returns the number of its steps. Throws SimFailure. */
export async function simulateEpisode(seed: number, bug?: PlantedBug): Promise<number> {
  const world = new SimWorld(seed, bug)
  const trail: string[] = ['begin']
  try {
    await world.begin()
    const steps = 5 + world.random.below(STEPS_MAX)
    for (let step = 0; step < steps; step++) {
      const operation = drawn(world)
      trail.push(operation.name)
      await inTime(operation.run(world))
    }
    trail.push('damage')
    await inTime(damage(world))
  } catch (error) {
    throw new SimFailure(seed, trail, error)
  }
  return trail.length
}

function drawn({ random }: SimWorld): SimOperation {
  let at = random.below(SIM_OPERATIONS.reduce((sum, { weight }) => sum + weight, 0))
  return SIM_OPERATIONS.find(({ weight }) => (at -= weight) < 0)!
}

/** Something that hangs is a failure, too. */
async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${STEP_MS_MAX} ms`)), STEP_MS_MAX)
  })
  try {
    await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * After damage the store, and a table made of any snapshot, serves what it acknowledged, or it says what is damaged: it refuses the start, or the read, or
 * tells it at level error. One thing cannot be told: a cut of the last log just behind a record.
 */
async function damage(world: SimWorld): Promise<void> {
  world.kill()
  const { mayBeSilent, what } = damageSomeFile(world)
  let found: string[]
  try {
    await world.open()
    await checkSnapshots(world)
    found = await dumpTable(world.store)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    assert.equal(error.code, 'CORRUPTION', error.message)
    return
  }
  const isFaultReported = world.errors.length > 0 || mayBeSilent
  if (isFaultReported) assert.ok(await world.hasPrefixes(found), `${what}: cells that never were`)
  else await world.settle()
  await world.store.close()
}
