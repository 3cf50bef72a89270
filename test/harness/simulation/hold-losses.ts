import { strict as assert } from 'node:assert'
import type { SimWorld } from './sim-world.ts'

/** More of the log waits than the hold keeps. */
const TOO_LONG = /bytes of it waited/
/** A crash may come before the store has recorded which logs it has removed from a full disk. */
const FULL_DISK = /the disk was full|which was kept for it, is not there any more/

/** Whether a hold may be lost for this reason. `refusals`: those of the disk when the hold was made. */
export function checkLoss(loss: string, { fileSystem }: SimWorld, refusals: number): void {
  if (fileSystem.refusals > refusals && FULL_DISK.test(loss)) return
  assert.match(loss, TOO_LONG)
}
