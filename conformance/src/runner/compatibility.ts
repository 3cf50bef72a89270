/** The table of docs/compatibility.md, from the cases and the ledger: a case that is not in the ledger passes. */

import type { Case, Scenario } from './case.ts'
import { type Gap, gapOf } from './ledger.ts'

/** `hbase`: Tidegate in front of a real HBase, which `npm run compare` asks. */
const STORES = ['native', 'memory', 'hbase'] as const

function doorsOf(cases: readonly Case[]): string {
  const doors = new Set(cases.flatMap(({ requests }) => requests.map(({ door }) => door)))
  return [...doors].sort().join(', ')
}

function passedOn(store: string, cases: readonly Case[], ledger: readonly Gap[]): number {
  return cases.filter(({ id }) => gapOf(ledger, id, store) === undefined).length
}

function row(name: string, doors: string, cases: readonly Case[], ledger: readonly Gap[]): string {
  const counts = STORES.map((store) => `${passedOn(store, cases, ledger)} / ${cases.length}`)
  return `| ${[name, doors, ...counts].join(' | ')} |`
}

export function compatibilityPage(scenarios: readonly Scenario[], ledger: readonly Gap[]): string {
  const all = scenarios.flatMap(({ cases }) => cases)
  const rows = scenarios.map(({ name, cases }) => row(name, doorsOf(cases), cases, ledger))
  const gaps = ledger.map(({ cases, stores, reason }) => {
    const where = stores === undefined ? 'all stores' : stores.join(', ')
    return `${reason} (${where})\n\n${cases.map((id) => `- \`${id}\``).join('\n')}\n`
  })
  return `# Compatibility

This page is for developers and operators who ask how equal Tidegate's answers are. It counts, by area, the cases recorded from HBase 2.6.1, and those that
Tidegate answers in the same way. \`hbase\` is Tidegate in front of a real HBase.

\`npm run compatibility\` makes the page from the cases and \`conformance/ledger.json\`. \`npm test\` checks it for \`native\`,
\`npm run test:all\` for \`memory\`, \`npm run compare\` for all.

| area | doors | native | memory | hbase |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
${row('**all**', '', all, ledger)}

## Open gaps and intended differences

${gaps.join('\n')}`
}
