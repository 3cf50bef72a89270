/**
 * Scans of a family whose blocks are small, by clients that state how files are to be read. For those that do not, HBase ends its answer early
 * once it has read four blocks (StoreScanner, hbase.storescanner.pread.max.bytes); a server in front of it must hand on the read type.
 */

import type { RpcFields, RpcRequest, Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, named } from '../runner/case-list.ts'
import { message } from './filter-protobuf.ts'
import { createTable, familySchema } from './master-requests.ts'
import { MutationType, mutate, mutation, region } from './rpc-requests.ts'
import { close, MODERN, next, call as scanCall } from './rpc-scan-calls.ts'
import { combinations } from './thrift-caller.ts'

const TABLE = 'conf_rpc_small_blocks'
const ROWS = 'abcdefghij'.split('')
/** The least that HBase takes. */
const BLOCK_BYTES = 1024
/** Four blocks are read in the fifth row. */
const VALUE = 'v'.repeat(BLOCK_BYTES)
/** Leaves the values out of the answers, after the server has read them. */
const KEYS_ONLY = {
  filter: { name: 'org.apache.hadoop.hbase.filter.KeyOnlyFilter', serializedFilter: message([1, false]) },
}

const setup = [
  createTable(TABLE, [familySchema('f', { BLOCKSIZE: String(BLOCK_BYTES) })]),
  ...ROWS.map((row) => mutate(TABLE, mutation(row, MutationType.put, [['f:a', VALUE, 5n]]))),
]

function open(scan: RpcFields, more: RpcFields): RpcRequest {
  return scanCall({ region: region(TABLE), scan: { ...KEYS_ONLY, ...scan }, ...more })
}

/** Scan.ReadType. */
const READ_TYPES = { stream: 1, pread: 2 }
const PARTIALS = { clientHandlesPartials: true }

function pages(): Listed[] {
  const types = ['stream', 'pread'] as const
  return combinations([3, 100], types, [{}, PARTIALS, MODERN], [undefined, true], [false, true]).map(
    ([numberOfRows, type, handles, closeScanner, reversed]) => {
      const opened = open(
        { reversed, readType: READ_TYPES[type] },
        { numberOfRows, closeScanner, ...handles },
      )
      const name = labelOf({
        rows: numberOfRows,
        [type]: true,
        reversed: reversed || undefined,
        partials: handles === PARTIALS || undefined,
        modern: handles === MODERN || undefined,
        closed: closeScanner,
      })
      return named(name, closeScanner === true ? opened : [opened, next(numberOfRows, handles), close])
    },
  )
}

/** The word of clients before 2.0 for PREAD. */
function small(): Listed[] {
  return [
    named('small', open({ small: true }, { numberOfRows: 100, closeScanner: true })),
    named('small and limited', open({ small: true }, { numberOfRows: 100, limitOfRows: 7 })),
  ]
}

export const rpcSmallBlocks: Scenario = {
  name: 'rpc-small-blocks',
  tables: [TABLE],
  namespaces: [],
  setup,
  cases: listed('rpc-small-blocks', [...pages(), ...small()]),
}
