/** The scenarios of the conformance suite that are compared with Kerberos. */

import { filterCompare } from '../../../conformance/src/cases/filter-compare.ts'
import { filterRest } from '../../../conformance/src/cases/filter-rest.ts'
import { restDelete } from '../../../conformance/src/cases/rest-delete.ts'
import { restRow } from '../../../conformance/src/cases/rest-row.ts'
import { restScan } from '../../../conformance/src/cases/rest-scan.ts'
import { restScanner } from '../../../conformance/src/cases/rest-scanner.ts'
import { restSchema } from '../../../conformance/src/cases/rest-schema.ts'
import { thrift1Reads } from '../../../conformance/src/cases/thrift1-reads.ts'
import { thrift1Scans } from '../../../conformance/src/cases/thrift1-scans.ts'
import { thrift1Tables } from '../../../conformance/src/cases/thrift1-tables.ts'
import { thrift2Deletes } from '../../../conformance/src/cases/thrift2-deletes.ts'
import { thrift2Puts } from '../../../conformance/src/cases/thrift2-puts.ts'
import { thrift2Reads } from '../../../conformance/src/cases/thrift2-reads.ts'
import { thrift2Scans } from '../../../conformance/src/cases/thrift2-scans.ts'
import type { Case, Scenario } from '../../../conformance/src/runner/case.ts'
import { gapOf, readLedger } from '../../../conformance/src/runner/ledger.ts'
import { isUndecided, readUndecided } from '../../../conformance/src/runner/undecided.ts'

/** A scenario, and of its cases those for other users and protections than the superuser's. */
export interface ComparedScenario {
  readonly name: string
  readonly scenario: Scenario
  /** For a user who may not do everything. */
  readonly limited: Scenario | undefined
  /** For integrity and privacy. */
  readonly isProtected: boolean
}

/** Of large scenarios every third case: the conformance suite asks them all without Kerberos. */
export const COMPARED: readonly ComparedScenario[] = [
  compared(every(3, restRow), { limitedTo: 3 }),
  compared(every(3, restScan)),
  compared(restScanner, { limitedTo: 3 }),
  compared(restDelete, { limitedTo: 1 }),
  compared(every(2, restSchema), { limitedTo: 2 }),
  compared(every(3, filterRest)),
  compared(every(3, filterCompare)),
  compared(every(3, thrift1Tables), { limitedTo: 2 }),
  compared(thrift1Reads, { limitedTo: 4, isProtected: true }),
  compared(thrift1Scans, { limitedTo: 4 }),
  compared(thrift2Puts, { limitedTo: 2, isProtected: true }),
  compared(thrift2Deletes, { limitedTo: 2 }),
  compared(thrift2Reads, { limitedTo: 4 }),
  compared(thrift2Scans, { limitedTo: 4, isProtected: true }),
]

const ledger = readLedger()
const groups = readUndecided()
/** HBase's secure REST reads `doAs` in each query, and answers 400 where that is no UTF-8. */
const NO_UTF_8 = /%ff/i

/** HBase asks for the state of each table that it has listed: it fails where another scenario has deleted one meanwhile. */
const OF_ALL_TABLES = 'getTableNamesWithIsTableEnabled'

/** False: HBase itself does not answer it twice alike, or Tidegate answers it otherwise on purpose. */
export function isComparable({ id, requests }: Case): boolean {
  if (gapOf(ledger, id, 'hbase') !== undefined || isUndecided(groups, id)) return false
  return !requests.some((request) =>
    request.door === 'rest' ? NO_UTF_8.test(request.path) : request.method === OF_ALL_TABLES,
  )
}

/** Tidegate answers this deletion of a family without a name as one of a missing family, before the cluster denies it. */
const NAMELESS_FAMILY = /DELETE \S+\/:a|family='', qualifier='a'/

/** An exchange of a user who may not read all columns, without the parts that differ from HBase's on purpose. */
export function ofLimitedUser(exchange: string): string {
  if (NAMELESS_FAMILY.test(exchange)) return 'a deletion of a family without a name'
  // HBase calls the last part of a row partial where cells that the user may not see follow it; Tidegate looks whether any follow.
  return exchange.replaceAll(/partial=(true|false)/g, 'partial')
}

export function every(count: number, scenario: Scenario): Scenario {
  return { ...scenario, cases: scenario.cases.filter((_, index) => index % count === 0) }
}

/** `limitedTo`: of so many cases each first one. */
function compared(
  scenario: Scenario,
  { limitedTo, isProtected = false }: { readonly limitedTo?: number; readonly isProtected?: boolean } = {},
): ComparedScenario {
  const limited = limitedTo === undefined ? undefined : every(limitedTo, scenario)
  return { name: scenario.name, scenario, limited, isProtected }
}
