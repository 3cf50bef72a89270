/** Which cells go to a peer: HBase's rules, once as the sender has them and once as HBase's documentation states them. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTableName, type TableName } from '../../src/model/table-name.ts'
import { chosenChange } from '../../src/replication/chosen-changes.ts'
import { isWanted, type PeerChoice } from '../../src/store/peer-description.ts'
import { change, valuesOf } from './fake-sender.ts'

const TABLES = ['t', 'u', 'n:t', 'n:u', 'm:t'].map(parseTableName)
const FAMILIES = ['f', 'g', 'h']
/** Each takes microseconds, and the rules have corners. */
const RUNS = { numRuns: 3000 }
const NAMESPACES = ['default', 'n', 'm']

const namespaces = fc.uniqueArray(fc.constantFrom(...NAMESPACES)).map((all) => new Set(all))
const tables = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...TABLES), fc.uniqueArray(fc.constantFrom(...FAMILIES))), {
    selector: ([table]) => table,
  })
  .map((all) => new Map(all.map(([table, families]) => [table, new Set(families)] as const)))
const choices: fc.Arbitrary<PeerChoice> = fc.record({
  replicateAll: fc.boolean(),
  namespaces,
  tables,
  excludeNamespaces: namespaces,
  excludeTables: tables,
})

/** The guide of HBase, section Cluster Replication. */
function isReplicated(choice: PeerChoice, table: TableName, family: string): boolean {
  const namespace = table.includes(':') ? table.split(':')[0]! : 'default'
  const { namespaces: spaces, tables: of } = choice.replicateAll
    ? { namespaces: choice.excludeNamespaces, tables: choice.excludeTables }
    : choice
  const families = of.get(table)
  const isNamed =
    spaces.has(namespace) || (families !== undefined && (families.size === 0 || families.has(family)))
  return choice.replicateAll ? !isNamed : isNamed
}

test('a family goes to a peer that asks for it', () => {
  fc.assert(
    fc.property(
      choices,
      fc.constantFrom(...TABLES),
      fc.constantFrom(...FAMILIES),
      (choice, table, family) => {
        expect(isWanted(choice, table, family)).toBe(isReplicated(choice, table, family))
      },
    ),
    RUNS,
  )
})

test('of a change go the cells of families with a scope, which the peer wants, unless it had them', () => {
  fc.assert(
    fc.property(
      choices,
      fc.constantFrom(...TABLES),
      fc.array(fc.constantFrom(...FAMILIES), { minLength: 1 }),
      fc.uniqueArray(fc.constantFrom(...FAMILIES)),
      fc.uniqueArray(fc.constantFrom('own', 'peer', 'far')),
      (choice, table, families, scopes, clusterIds) => {
        const texts = families.map((family, index) => `${family}:${family}${index}`)
        const chosen = chosenChange(
          { ...change(table, texts, clusterIds), sequenceId: 1 },
          {
            choice,
            ownClusterId: 'own',
            peerClusterId: 'peer',
            scopesOf: () => scopes.map((family) => Buffer.from(family)),
            writeTime: 1,
          },
        )
        const wanted = clusterIds.includes('peer')
          ? []
          : texts.filter((_, index) => {
              const family = families[index]!
              return scopes.includes(family) && isReplicated(choice, table, family)
            })
        expect(chosen === undefined ? [] : valuesOf(chosen.cells)).toEqual(
          wanted.map((text) => text.slice(2)),
        )
        if (chosen === undefined) return
        expect(chosen.cellCount).toBe(wanted.length)
        expect(chosen.clusterIds.filter((id) => id === 'own')).toEqual(['own'])
        expect(chosen.clusterIds).toEqual(expect.arrayContaining([...clusterIds]))
      },
    ),
    RUNS,
  )
})
