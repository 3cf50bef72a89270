/** ClientService.Scan: how scanners are opened, asked, renewed and closed, and what their answers say beside rows. */

import type { Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, named } from '../runner/case-list.ts'
import { region, scanAll } from './rpc-requests.ts'
import { call, close, MODERN, next, open, TABLE } from './rpc-scan-calls.ts'
import { boundsOfRegions, fields, metrics, regions } from './rpc-scan-fields.ts'
import { combinations } from './thrift-caller.ts'
import { bytes, createTable, put } from './thrift2-requests.ts'

const setup = [
  createTable(TABLE, [{ name: bytes('f'), maxVersions: 3 }, { name: bytes('g') }], ['m', 't']),
  ...'abcdefmnoptuv'.split('').map((row) => put(TABLE, row, 'f:a', `value of ${row}`, 5n)),
  ...['f:b', 'f:c', 'g:a', 'g:b'].map((name) => put(TABLE, 'c', name, `${name} of c`, 6n)),
  put(TABLE, 'd', 'f:a', 'younger', 8n),
]

/** Openings: with or without rows, kept open or closed at once. */
function openings(): Listed[] {
  return combinations([undefined, 0, 1, 3, 100], [undefined, true], [{}, MODERN], [undefined, 2]).map(
    ([numberOfRows, closeScanner, modern, limitOfRows]) =>
      named(
        labelOf({
          open: numberOfRows ?? 'none',
          close: closeScanner,
          modern: modern === MODERN || undefined,
          limit: limitOfRows,
        }),
        [open({}, { numberOfRows, closeScanner, limitOfRows, ...modern }), next(2, modern), close],
      ),
  )
}

/** Pages of a scan to the end of its region and beyond. */
function pages(): Listed[] {
  return combinations([1, 2, 6, 7], [{}, MODERN], [false, true], ['', 'm', 't'] as const).map(
    ([rows, modern, reversed, start]) => {
      const scan = { startRow: bytes(start), reversed, stopRow: bytes('') }
      const calls = Array.from({ length: Math.min(5, Math.ceil(8 / rows)) }, () => next(rows, modern))
      return named(
        labelOf({
          pages: rows,
          modern: modern === MODERN || undefined,
          reversed: reversed || undefined,
          from: start,
        }),
        [open(scan, { numberOfRows: 0, ...modern }, start), ...calls, close],
      )
    },
  )
}

function limited(): Listed[] {
  return combinations([1, 2, 3, 5], [1, 2, 10], [{}, MODERN]).map(([limitOfRows, rows, modern]) =>
    named(labelOf({ 'limit of rows': limitOfRows, pages: rows, modern: modern === MODERN || undefined }), [
      open({}, { numberOfRows: rows, limitOfRows, ...modern }),
      next(rows, { ...modern, limitOfRows: Math.max(1, limitOfRows - rows) }),
    ]),
  )
}

/** Parts of rows: by batches, and by bytes. */
function partial(): Listed[] {
  return combinations([undefined, 1, 2, 3], [undefined, 1n, 60n, 200n], [{}, MODERN], [false, true]).map(
    ([batchSize, maxResultSize, modern, reversed]) =>
      named(
        labelOf({
          batch: batchSize,
          bytes: maxResultSize,
          modern: modern === MODERN || undefined,
          reversed: reversed || undefined,
        }),
        [
          open(
            {
              startRow: bytes(reversed ? 'd' : 'b'),
              stopRow: bytes(reversed ? 'a' : 'e'),
              reversed,
              batchSize,
              maxResultSize,
            },
            { numberOfRows: 100, ...modern },
            'b',
          ),
          next(100, modern),
          next(100, modern),
          close,
        ],
      ),
  )
}

function bounds(): Listed[] {
  const flags = [undefined, true, false]
  return combinations(['', 'b', 'bb', 'e'], ['', 'b', 'e', 'a'], flags, flags).map(
    ([from, to, includeStartRow, includeStopRow]) =>
      named(
        labelOf({ from, to, start: includeStartRow, stop: includeStopRow }),
        scanAll(TABLE, { startRow: bytes(from), stopRow: bytes(to), includeStartRow, includeStopRow }),
      ),
  )
}

function sequences(): Listed[] {
  const opened = open({}, { numberOfRows: 1 })
  return [
    named('sequence right', [opened, next(1, { nextCallSeq: 1n }), next(1, { nextCallSeq: 2n }), close]),
    named('sequence from zero', [
      open({}, { numberOfRows: 0 }),
      next(1, { nextCallSeq: 0n }),
      next(1, { nextCallSeq: 1n }),
      close,
    ]),
    named('sequence repeated', [opened, next(1, { nextCallSeq: 1n }), next(1, { nextCallSeq: 1n }), next(1)]),
    named('sequence ahead', [opened, next(1, { nextCallSeq: 9n }), next(1)]),
    named('renewed', [opened, next(0, { renew: true }), next(1), close]),
    named('renewed with a sequence', [
      opened,
      next(0, { renew: true, nextCallSeq: 1n }),
      next(1, { nextCallSeq: 1n }),
      close,
    ]),
    named('closed twice', [opened, close, close]),
    named('next after close', [opened, close, next(1)]),
    named('sequence after close', [
      opened,
      next(1, { nextCallSeq: 0n }),
      close,
      next(1, { nextCallSeq: 1n }),
      next(1, { nextCallSeq: 2n }),
      next(1, { nextCallSeq: 3n }),
    ]),
    named('sequence above the signed numbers', [opened, next(1, { nextCallSeq: 0xffff_ffff_ffff_ffffn })]),
    named('scanner of nobody', call({ scannerId: 1n, numberOfRows: 1 })),
    named('close of nobody', call({ scannerId: 1n, closeScanner: true })),
    named('renewal of nobody', call({ scannerId: 1n, renew: true })),
    named('no scanner and no scan', call({ region: region(TABLE), numberOfRows: 1 })),
    named('nothing at all', call({})),
    named('rows after the end', [open({ startRow: bytes('v') }, { numberOfRows: 5 }, 'v'), next(5), close]),
    named('rows after the end modern', [
      open({ startRow: bytes('v') }, { numberOfRows: 5, ...MODERN }, 'v'),
      next(5, MODERN),
      close,
    ]),
  ]
}

export const rpcScan: Scenario = {
  name: 'rpc-scan',
  tables: [TABLE],
  namespaces: [],
  setup,
  cases: [
    ...listed('rpc-scan-openings', openings()),
    ...listed('rpc-scan-pages', pages()),
    ...listed('rpc-scan-limited', limited()),
    ...listed('rpc-scan-partial', partial()),
    ...listed('rpc-scan-bounds', bounds()),
    ...listed('rpc-scan-sequences', sequences()),
    ...listed('rpc-scan-regions', [...regions(), ...boundsOfRegions()]),
    ...listed('rpc-scan-fields', fields()),
    ...listed('rpc-scan-metrics', metrics()),
  ],
}
