/** Keys of domains, by id and by owner. */

import { separated } from './key-bytes.ts'

/** The property of a domain that a key holds, by the key's last byte. */
export const DomainColumn = {
  description: 0x64,
  owner: 0x6f,
  readers: 0x72,
  times: 0x74,
  writers: 0x77,
} as const
export type DomainColumnName = keyof typeof DomainColumn
export const DOMAIN_COLUMNS = Object.keys(DomainColumn) as DomainColumnName[]

/** The prefix of all keys of a domain. */
export function domainPrefix(id: string): Buffer {
  return separated(id)
}

/** The prefix of all domains of an owner. */
export function ownerPrefix(owner: string): Buffer {
  return separated(owner)
}

/** The prefix of all keys of a domain below its owner. */
export function ownedDomainPrefix(owner: string, id: string): Buffer {
  return Buffer.concat([separated(owner), separated(id)])
}

/** `prefix`: as domainPrefix or ownedDomainPrefix. */
export function domainColumnKey(prefix: Buffer, column: DomainColumnName): Buffer {
  return Buffer.concat([prefix, Buffer.of(DomainColumn[column])])
}
