/** Scans without state and multigets, in every form of an answer. */

import type { Case, RestRequest, Scenario } from '../runner/case.ts'
import { listed, named } from '../runner/case-list.ts'
import { pathWords } from '../runner/request-words.ts'
import { BINARY, CELL_SET_TYPES, get, JSON_TYPE, send, TEXT, tableOfRows } from './rest-request.ts'

const TABLE = 'conf_rest_scan'

const MULTIGETS: readonly string[] = [
  '/conf_rest_scan/multiget?row=r1&row=r2',
  '/conf_rest_scan/multiget',
  '/conf_rest_scan/multiget?row=',
  '/conf_rest_scan/multiget?row=nope',
  '/conf_rest_scan/multiget?row=nope&row=r2',
  '/conf_rest_scan/multiget/f:a?row=r1&row=r2',
  '/conf_rest_scan/multiget/f:a,f:b?row=r1',
  '/conf_rest_scan/multiget/?row=r1/f:b',
  '/conf_rest_scan/multiget?row=r1&v=x',
  '/conf_rest_scan/multiget?row=r1&v=3',
  '/conf_rest_scan/multiget?row=r1&v=0',
  '/conf_rest_scan/multiget?row=r2&row=r1&row=r2',
  '/conf_rest_scan/multigetf:a?row=r1',
  '/conf_rest_scan/multiget?row=r1,r2',
  '/conf_rest_scan/multiget?row=r*',
  '/conf_rest_scan/multiget?row=10%252C77',
  '/conf_rest_scan/multiget?row=10%2C77',
  '/conf_rest_none/multiget?row=r1',
  '/conf_rest_scan/multiget/zz:a?row=r1',
  '/conf_rest_scan/multiget?row=cjE&e=b64',
  '/conf_rest_scan/multiget?row=r1/f:a/900',
]

/** The part of the path after the table. */
const SCANS: readonly string[] = [
  '/*?limit=1',
  '/*?limit=0',
  '/*?limit=-1',
  '/*?limit=x',
  '/*?limit=',
  '/*?limit=3',
  '/*?startrow=r2',
  '/*?endrow=r2',
  '/*?startrow=r1&endrow=r3',
  '/*?startrow=r1&endrow=r1',
  '/*?startrow=r3&endrow=r1',
  '/*?startrow=r3&endrow=r1&reversed=true',
  '/*?column=f:a',
  '/*?column=f',
  '/*?column=f:',
  '/*?column=g:',
  '/*?column=zz',
  '/*?column=f:a&column=f:b',
  '/*?column=f:a,f:b',
  '/*?column=%20f:a%20',
  '/*?column=',
  '/*?column=f:a:b',
  '/*?maxversions=2',
  '/*?maxversions=0',
  '/*?maxversions=x',
  '/*?batchsize=1',
  '/*?batchsize=1&limit=2',
  '/*?batchsize=2&maxversions=3',
  '/*?batchsize=0',
  '/*?starttime=5&endtime=6',
  '/*?starttime=9&endtime=6',
  '/*?starttime=x',
  '/*?reversed=true',
  '/*?reversed=TRUE',
  '/*?reversed=x',
  '/r*?reversed=true',
  '/r1*?reversed=true',
  '/r*?reversed=true&startrow=r9',
  '/r*?reversed=true&startrow=z',
  '/r*?reversed=true&startrow=r2',
  '/r*?reversed=true&startrow=r3&endrow=r1',
  '/r*?startrow=r2',
  '/r*?startrow=a',
  '/r*?startrow=z',
  '/r*?endrow=r2',
  '/r*?endrow=a',
  '/r*?startrow=r1&endrow=r1',
  '/10%2C*',
  '/10*?limit=2',
  '/a%20*',
  '/a+*',
  '/*?cacheblocks=false',
  '/r/x*',
  '/r*/f:a/9,1000000000000000',
]

const others: readonly RestRequest[] = [
  get('/conf_rest_none/*'),
  get('/conf_rest_none/*', BINARY),
  get(`/${TABLE}/r1*`, TEXT),
  get(`/${TABLE}/r1*`, BINARY),
  get(`/${TABLE}/r1*`, 'application/protobuf'),
  get(`/${TABLE}/*?limit=25`, 'application/protobuf'),
  send('PUT', `/${TABLE}/r1*`, JSON_TYPE, '{}'),
  send('POST', `/${TABLE}/*`, JSON_TYPE, '{}'),
  send('DELETE', `/${TABLE}/*`, JSON_TYPE, ''),
]

function scanLabel(path: string): string {
  return pathWords(path)
    .replace(/^multiget(?=.)/, '')
    .replace('TRUE', 'upper case true')
}

/** Each path in each form, and for a client that accepts everything. */
function inEveryForm(area: string, paths: readonly string[]): Case[] {
  return [...CELL_SET_TYPES, '*/*'].flatMap((type) => {
    const form = type === '*/*' ? 'any' : type.replace(/^.*[/-]/, '')
    return listed(
      `${area}-${form}`,
      paths.map((path) => named(scanLabel(path), get(path, type))),
    )
  })
}

export const restScan: Scenario = {
  name: 'rest-scan',
  tables: [TABLE],
  namespaces: [],
  setup: tableOfRows(TABLE),
  cases: [
    ...inEveryForm(
      'rest-scan',
      SCANS.map((path) => `/${TABLE}${path}`),
    ),
    ...inEveryForm('rest-multiget', MULTIGETS),
    ...listed('rest-scan-other', others),
  ],
}
