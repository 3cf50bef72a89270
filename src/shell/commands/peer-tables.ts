/** The tables and families of a peer, as commands state, join and print them. HBase: ReplicationPeerConfigUtil. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { namespaceOf, qualifierOf } from '../../model/table-name.ts'
import type { ReplicationPeer, ReplicationPeerSchema } from '../../wire/rpc/gen/replication_pb.ts'
import { tableNameFromMessage, tableNameMessage } from '../../wire/rpc/table-name-message.ts'
import { listOf, tableOf } from '../arguments/argument-values.ts'
import { refuse } from '../output/shell-error.ts'
import { bytesOf, RubyHash, type Value } from '../ruby/values.ts'

export type PeerTables = ReplicationPeer['tableCfs']
export type StatedTables = NonNullable<MessageInitShape<typeof ReplicationPeerSchema>['tableCfs']>
type StatedTable = StatedTables[number]

/** The tables and families of a hash such as `{'t1' => ['f1', 'f2'], 't2' => []}`. */
export function tablesOf(value: Value): StatedTable[] {
  if (!(value instanceof RubyHash)) refuse('the tables of a peer must be a Hash')
  return value.entries().map(([table, families]) => ({
    tableName: tableNameMessage(tableOf(table)),
    families: listOf(families)
      .filter((each) => each !== null)
      .map(bytesOf),
  }))
}

/** Families are added to those of a known table; a table without families has all of them. */
export function joinedTables(known: PeerTables, added: readonly StatedTable[]): StatedTable[] {
  const joined: StatedTable[] = [...known]
  for (const table of added) {
    const at = joined.findIndex((each) => nameText(each) === nameText(table))
    if (at < 0) joined.push(table)
    else joined[at] = withFamilies(table, joinedFamilies(familiesOf(joined[at]!), familiesOf(table)))
  }
  return joined
}

function joinedFamilies(known: readonly Buffer[], added: readonly Buffer[]): Buffer[] {
  if (known.length === 0 || added.length === 0) return []
  return [...known, ...added.filter((family) => !known.some((each) => each.equals(family)))]
}

/** `words`: `table-cfs` or `exclude-table-cfs`, as messages have it. */
export function remainingTables(
  known: PeerTables,
  removed: readonly StatedTable[],
  words: 'table-cfs' | 'exclude-table-cfs',
  peerId: string,
): StatedTable[] {
  if (known.length === 0) {
    refuse(`${words === 'table-cfs' ? 'Table-Cfs' : 'exclude-Table-Cfs'} for peer: ${peerId} is null`)
  }
  let left: StatedTable[] = [...known]
  for (const table of removed) {
    const name = nameText(table)
    const found = left.find((each) => nameText(each) === name)
    if (found === undefined) refuse(`No table: ${name} in ${words} config of peer: ${peerId}`)
    const [has, loses] = [familiesOf(found), familiesOf(table)]
    if (has.length === 0 && loses.length > 0) {
      refuse(
        `Cannot remove cf of table: ${name} which doesn't specify cfs from ${words} config in peer: ${peerId}`,
      )
    }
    if (has.length > 0 && loses.length === 0) {
      refuse(`Cannot remove table: ${name} which has specified cfs from ${words} config in peer: ${peerId}`)
    }
    const families = has.filter((family) => !loses.some((each) => each.equals(family)))
    const kept = families.length === 0 ? [] : [withFamilies(found, families)]
    left = left.flatMap((each) => (each === found ? kept : each))
  }
  return left
}

/** Tables as `default.t1:f1,f2;ns.t2`. HBase: ReplicationPeerConfigUtil.convertToString. */
export function tablesText(tables: PeerTables): string {
  return tables
    .map((table) => {
      const name = tableNameFromMessage(table.tableName!)
      const families = familiesOf(table).map(String).join(',')
      return `${namespaceOf(name)}.${qualifierOf(name)}${families === '' ? '' : `:${families}`}`
    })
    .join(';')
}

function withFamilies(table: StatedTable, families: readonly Buffer[]): StatedTable {
  return { tableName: table.tableName!, families: [...families] }
}

function familiesOf({ families = [] }: StatedTable): Buffer[] {
  return families.map((family) => Buffer.from(family))
}

function nameText({ tableName }: StatedTable): string {
  const { namespace, qualifier } = tableName!
  return tableNameFromMessage({ namespace: namespace!, qualifier: qualifier! })
}
