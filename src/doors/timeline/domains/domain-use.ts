/**
 * Records the periods that have entities of each domain, in a second family of the table of domains. A domain is removed when the last
 * period that used it has been dropped. Hadoop keeps domains for ever (YARN-11911).
 */

import { EMPTY } from '../../../model/bytes.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { SerialQueue } from '../../../model/serial-queue.ts'
import { type Call, toTheEnd } from '../../../store/call.ts'
import { domainColumnKey, domainPrefix } from '../keys/domain-keys.ts'
import { KeyParser } from '../keys/key-bytes.ts'
import { DOMAIN, type TimelineTables } from '../tables/timeline-tables.ts'
import type { DomainTables } from './domain-tables.ts'

export const USE_FAMILY: Buffer = Buffer.from('u')
const NOTED_MAX = 10_000

export class DomainUse {
  readonly #tables: TimelineTables
  readonly #domains: DomainTables
  readonly #changes = new SerialQueue()
  /** Uses that are recorded already, so that each entity does not write them again. */
  readonly #noted = new Set<string>()

  constructor(tables: TimelineTables, domains: DomainTables) {
    this.#tables = tables
    this.#domains = domains
  }

  /** Records the use. Call it before entities of the domain are written to the period. */
  async note(domain: string, period: string, call: Call): Promise<void> {
    const text = `${period} ${domain}`
    if (this.#noted.has(text)) return
    await this.#changes.run(async () => {
      const batch = new MutationBatch().put(useKey(domain), USE_FAMILY, Buffer.from(period), EMPTY)
      batch.endMutation()
      await this.#tables.mutate(DOMAIN, batch, toTheEnd(call))
    })
    if (this.#noted.size >= NOTED_MAX) this.#noted.clear()
    this.#noted.add(text)
  }

  /**
   * Removes domains whose periods have all been dropped and that were last modified before `time`. Returns their number. `periods`: the
   * existing ones; `kept`: the domain that is never removed.
   */
  sweep(periods: ReadonlySet<string>, time: number, kept: string, call: Call): Promise<number> {
    return this.#changes.run(async () => {
      let removed = 0
      for (const [domain, used] of await this.#all(call)) {
        const gone = used.filter((period) => !periods.has(period))
        if (gone.length === 0) continue
        const isUnused = gone.length === used.length && domain !== kept
        const modified = isUnused ? (await this.#domains.get(domain, call))?.modifiedTime : undefined
        if (isUnused && modified !== undefined && modified >= BigInt(time)) continue
        if (isUnused) await this.#domains.remove(domain, call)
        if (isUnused && modified !== undefined) removed++
        await this.#forget(domain, gone, call)
      }
      return removed
    })
  }

  /** Forgets all uses, which are then recorded again. */
  forget(): void {
    this.#noted.clear()
  }

  async #all(call: Call): Promise<Map<string, string[]>> {
    const used = new Map<string, string[]>()
    for await (const cells of this.#tables.scan(DOMAIN, EMPTY, EMPTY, call, { family: USE_FAMILY })) {
      for (const { key, qualifier } of cells) {
        const domain = new KeyParser(key).text()
        used.set(domain, [...(used.get(domain) ?? []), qualifier.toString()])
      }
    }
    return used
  }

  async #forget(domain: string, periods: readonly string[], call: Call): Promise<void> {
    const batch = new MutationBatch()
    for (const period of periods) {
      batch.deleteColumn(useKey(domain), USE_FAMILY, Buffer.from(period))
      this.#noted.delete(`${period} ${domain}`)
    }
    batch.endMutation()
    await this.#tables.mutate(DOMAIN, batch, call)
  }
}

function useKey(domain: string): Buffer {
  return domainColumnKey(domainPrefix(domain), 'times')
}
