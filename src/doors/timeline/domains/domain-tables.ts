/** Domains, stored twice: by their ids and by their owners. */

import { EMPTY } from '../../../model/bytes.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { type Call, toTheEnd } from '../../../store/call.ts'
import {
  DOMAIN_COLUMNS,
  DomainColumn,
  domainColumnKey,
  domainPrefix,
  ownedDomainPrefix,
  ownerPrefix,
} from '../keys/domain-keys.ts'
import { KeyParser, reversedTime, TIME_BYTES, timeOfReversed } from '../keys/key-bytes.ts'
import { DOMAIN, FAMILY, OWNER, type StoredRow, type TimelineTables } from '../tables/timeline-tables.ts'
import type { Domain, StoredDomain } from './domain.ts'

export class DomainTables {
  readonly #tables: TimelineTables
  readonly #now: () => number

  constructor(tables: TimelineTables, now: () => number) {
    this.#tables = tables
    this.#now = now
  }

  async get(id: string, call: Call): Promise<StoredDomain | undefined> {
    const prefix = domainPrefix(id)
    const rows = await this.#tables.prefixed(DOMAIN, prefix, call)
    return rows.length === 0 ? undefined : domainOf(id, rows, prefix.length)
  }

  /** The owner's domains, the latest created first. */
  async ofOwner(owner: string, call: Call): Promise<StoredDomain[]> {
    const prefix = ownerPrefix(owner)
    const byId = new Map<string, StoredRow[]>()
    for (const row of await this.#tables.prefixed(OWNER, prefix, call)) {
      const id = new KeyParser(row.key, prefix.length).text()
      const rows = byId.get(id)
      if (rows === undefined) byId.set(id, [row])
      else rows.push(row)
    }
    const domains = [...byId].map(([id, rows]) => domainOf(id, rows, ownedDomainPrefix(owner, id).length))
    return domains.sort(
      (a, b) => newestFirst(a.createdTime, b.createdTime) || newestFirst(a.modifiedTime, b.modifiedTime),
    )
  }

  /** Writes the domain. An existing domain keeps its time of creation. */
  async put(domain: Domain, call: Call): Promise<void> {
    const now = BigInt(this.#now())
    const known = await this.get(domain.id, call)
    await this.write({ ...domain, createdTime: known?.createdTime ?? now, modifiedTime: now }, call)
  }

  async write(domain: StoredDomain, call: Call): Promise<void> {
    const { id, owner = '' } = domain
    const untilEnd = toTheEnd(call)
    await this.#tables.mutate(DOMAIN, putsOf(domainPrefix(id), domain), untilEnd)
    await this.#tables.mutate(OWNER, putsOf(ownedDomainPrefix(owner, id), domain), untilEnd)
  }

  async remove(id: string, call: Call): Promise<void> {
    const known = await this.get(id, call)
    const owner = known?.owner
    if (owner !== undefined) await this.#tables.mutate(OWNER, deletesOf(ownedDomainPrefix(owner, id)), call)
    await this.#tables.mutate(DOMAIN, deletesOf(domainPrefix(id)), call)
  }
}

function putsOf(prefix: Buffer, domain: StoredDomain): MutationBatch {
  const { description, owner, readers, writers, createdTime = 0n, modifiedTime = 0n } = domain
  const values: Readonly<Record<keyof typeof DomainColumn, Buffer>> = {
    description: Buffer.from(description ?? ''),
    owner: Buffer.from(owner ?? ''),
    readers: Buffer.from(readers ?? ''),
    times: Buffer.concat([reversedTime(createdTime), reversedTime(modifiedTime)]),
    writers: Buffer.from(writers ?? ''),
  }
  const batch = new MutationBatch()
  for (const column of DOMAIN_COLUMNS) {
    batch.put(domainColumnKey(prefix, column), FAMILY, EMPTY, values[column])
    batch.endMutation()
  }
  return batch
}

function deletesOf(prefix: Buffer): MutationBatch {
  const batch = new MutationBatch()
  for (const column of DOMAIN_COLUMNS) {
    batch.deleteRow(domainColumnKey(prefix, column))
    batch.endMutation()
  }
  return batch
}

function domainOf(id: string, rows: readonly StoredRow[], prefixLength: number): StoredDomain {
  const values = new Map(rows.map(({ key, value }) => [key[prefixLength], value]))
  const text = (column: number): string | undefined => values.get(column)?.toString() || undefined
  const times = values.get(DomainColumn.times)
  const hasTimes = times !== undefined && times.length >= 2 * TIME_BYTES
  return {
    id,
    description: text(DomainColumn.description),
    owner: text(DomainColumn.owner),
    readers: text(DomainColumn.readers),
    writers: text(DomainColumn.writers),
    createdTime: hasTimes ? timeOfReversed(times) : undefined,
    modifiedTime: hasTimes ? timeOfReversed(times, TIME_BYTES) : undefined,
  }
}

function newestFirst(a = 0n, b = 0n): number {
  return a === b ? 0 : a > b ? -1 : 1
}
