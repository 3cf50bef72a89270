import { HBaseError } from '../../../src/model/errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { SnapshotRecord } from '../manifest/manifest-edit.ts'

/** Most names that are remembered. */
const NAMES_MAX = 1000

/** The snapshots whose time to live is over, and the names of those that have gone for that reason. */
export class ExpiredSnapshots {
  readonly #engine: Engine
  /** Time between two looks for them. */
  readonly #cleanMs: number
  /** Since the start, the latest last. */
  readonly #gone = new Set<string>()
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(engine: Engine) {
    this.#engine = engine
    this.#cleanMs = engine.options.upkeep.snapshotCleanMs
  }

  /** Whether it is time for another look: at the start, and each time that the switch of the cleaner is turned on, too. HBase: SnapshotCleanerChore. */
  isDue(): boolean {
    const { catalogLog, clock } = this.#engine
    const isOff = catalogLog.catalog.off.has('snapshotCleanup')
    const now = clock.now()
    const isDue = !isOff && now - this.#lookedAt >= this.#cleanMs
    if (isOff) this.#lookedAt = Number.NEGATIVE_INFINITY
    else if (isDue) this.#lookedAt = now
    return isDue
  }

  present(): SnapshotRecord[] {
    const { catalog } = this.#engine.catalogLog
    return [...catalog.snapshots.values()].filter((snapshot) => this.#isExpired(snapshot))
  }

  /** Notes that the snapshot has gone. */
  note(name: string): void {
    const names = this.#gone
    names.delete(name)
    names.add(name)
    const [oldest] = names
    if (names.size > NAMES_MAX && oldest !== undefined) names.delete(oldest)
  }

  /** Throws DO_NOT_RETRY where the snapshot's time is over, also once it has gone for that reason. HBase: RestoreSnapshotProcedure. */
  check(name: string): void {
    const snapshot = this.#engine.catalogLog.catalog.snapshots.get(name)
    const isOver = snapshot === undefined ? this.#gone.has(name) : this.#isExpired(snapshot)
    if (isOver)
      throw snapshotRefusal('SnapshotTTLExpiredException', `TTL for snapshot '${name}' has already expired.`)
  }

  #isExpired({ timeToLiveSeconds, createdAt }: SnapshotRecord): boolean {
    return timeToLiveSeconds > 0 && this.#engine.clock.now() >= createdAt + timeToLiveSeconds * 1000
  }
}

/** `exception`: HBase's class, without its package. */
export function snapshotRefusal(exception: string, message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message, {
    javaClass: `org.apache.hadoop.hbase.snapshot.${exception}`,
  })
}
