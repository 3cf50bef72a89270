/** The scenarios of both Thrift services. */

import type { Scenario } from '../runner/case.ts'
import { thrift1Arguments } from './thrift1-arguments.ts'
import { thrift1Changes } from './thrift1-changes.ts'
import { thrift1Mutations } from './thrift1-mutations.ts'
import { thrift1Reads } from './thrift1-reads.ts'
import { thrift1Scans } from './thrift1-scans.ts'
import { thrift1Tables } from './thrift1-tables.ts'
import { thrift2Arguments } from './thrift2-arguments.ts'
import { thrift2Changes } from './thrift2-changes.ts'
import { thrift2Deletes } from './thrift2-deletes.ts'
import { thrift2Families } from './thrift2-families.ts'
import { thrift2Malformed } from './thrift2-malformed.ts'
import { thrift2Namespaces } from './thrift2-namespaces.ts'
import { thrift2Puts } from './thrift2-puts.ts'
import { thrift2Reads } from './thrift2-reads.ts'
import { thrift2RowOptions } from './thrift2-row-options.ts'
import { thrift2Scans } from './thrift2-scans.ts'
import { thrift2SchemaArguments } from './thrift2-schema-arguments.ts'
import { thrift2Tables } from './thrift2-tables.ts'

export const THRIFT_SCENARIOS: readonly Scenario[] = [
  thrift1Tables,
  thrift1Mutations,
  thrift1Reads,
  thrift1Changes,
  thrift1Scans,
  thrift2Tables,
  thrift2Families,
  thrift2Namespaces,
  thrift2Puts,
  thrift2Deletes,
  thrift2Reads,
  thrift2Changes,
  thrift2RowOptions,
  thrift2Scans,
  thrift2Malformed,
  thrift1Arguments,
  thrift2Arguments,
  thrift2SchemaArguments,
]
