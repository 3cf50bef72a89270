import type { Ledger } from './ledger.ts'
import {
  Family,
  ROWS,
  rowName,
  SHARED_ROWS,
  TABLE,
  WIDE_COLUMNS,
  WIDE_ROWS,
  WIDE_VALUE_BYTES,
} from './settings.ts'
import { ThriftCalls } from './thrift-call.ts'
import { putOf, Thrift2Writes } from './thrift-doors.ts'

const BATCH_ROWS = 100

/** Every row once, the wide ones, and the beginnings of the chains. */
export async function loadTable(ledger: Ledger, thriftPort: number): Promise<void> {
  const door = new Thrift2Writes(thriftPort)
  for (let from = 0; from < ROWS; from += BATCH_ROWS) {
    const count = Math.min(BATCH_ROWS, ROWS - from)
    const rows = Array.from({ length: count }, (_, i) => rowName(from + i))
    const version = ledger.nextVersion()
    for (const row of rows) ledger.begin(row, version)
    await door.put(rows, version)
    for (const row of rows) ledger.acknowledge(row, version)
  }
  door.close()
  const calls = new ThriftCalls('thrift2', thriftPort)
  const value = Buffer.alloc(WIDE_VALUE_BYTES, 'w')
  const wide = Array.from({ length: WIDE_COLUMNS }, (_, i) => ({
    qualifier: String(i).padStart(4, '0'),
    value,
  }))
  const zero = [{ qualifier: 'v', value: Buffer.from('0') }]
  const tputs = [
    ...WIDE_ROWS.map((row) => putOf(row, wide, Family.wide)),
    ...SHARED_ROWS.map((row) => putOf(row, zero, Family.chain)),
  ]
  for (const tput of tputs) await calls.call('put', { table: Buffer.from(TABLE), tput })
  calls.close()
}
