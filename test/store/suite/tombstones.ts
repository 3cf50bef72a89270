/** Tombstones of the row r: of its family f, or of the column f:q. */

import type { MutationBatch } from '../../../src/model/mutation.ts'
import { bytes } from './store-under-test.ts'

/** Adds to a batch. */
export type Change = (batch: MutationBatch) => MutationBatch

const [R, F, Q] = [bytes('r'), bytes('f'), bytes('q')]

export function familyDelete(timestamp: bigint): Change {
  return (batch) => batch.deleteFamily(R, F, timestamp)
}

export function familyVersionDelete(timestamp: bigint): Change {
  return (batch) => batch.deleteFamilyVersion(R, F, timestamp)
}

export function columnDelete(timestamp: bigint): Change {
  return (batch) => batch.deleteColumn(R, F, Q, timestamp)
}

export function versionDelete(timestamp: bigint): Change {
  return (batch) => batch.deleteVersion(R, F, Q, timestamp)
}
