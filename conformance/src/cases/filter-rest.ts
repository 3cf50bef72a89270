/** The `filter` and `filter_b64` of REST queries: scans, prefixes, several rows, single rows. */

import { type Case, type Request, rest, type Scenario } from '../runner/case.ts'
import { digested, listed, type NamedCase, named } from '../runner/case-list.ts'
import { filterTable, regionsTable } from './filter-table.ts'
import { BINARY, get, JSON_TYPE, PROTOBUF, TEXT, XML } from './rest-request.ts'
import { combinations } from './thrift-caller.ts'

const TABLE = 'conf_filter_rest'
const REGIONS = 'conf_filter_rest_regions'

const FILTERS: readonly string[] = [
  'KeyOnlyFilter()',
  "QualifierFilter(=, 'binary:2')",
  "PrefixFilter('b')",
  "ValueFilter(=, 'substring:TWO')",
  'PageFilter(2)',
  "SKIP QualifierFilter(=, 'binary:2')",
  "SingleColumnValueFilter('a', '1', =, 'binary:uno', true, true)",
  "RowFilter(=, 'binary:nosuch')",
  "FamilyFilter(=, 'binary:b') OR ColumnPrefixFilter('12')",
  'ColumnPaginationFilter(1, 1)',
]

/** As the query has it: URL-safe base64 as it stands. */
function base64(filter: string): string {
  return Buffer.from(filter, 'latin1').toString('base64url')
}

const query = (filter: string): string => `filter=${encodeURIComponent(filter)}`

const SCANS = [
  '*',
  'a*',
  'ab*',
  'b*',
  'x*',
  '*?startrow=ab&endrow=c',
  '*?limit=1',
  '*?maxversions=3',
  '*?reversed=true',
  'ab*?reversed=true',
  '*?column=a:2',
  '*?startrow=b&limit=2',
  'ab*?startrow=abc',
]

function withQuery(path: string, parameters: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${parameters}`
}

function scans(): NamedCase[] {
  return combinations(FILTERS, SCANS).map(([filter, path]) =>
    named(`${path} ${filter}`, [
      get(`/${TABLE}/${withQuery(path, query(filter))}`),
      get(`/${TABLE}/${withQuery(path, `filter_b64=${base64(filter)}`)}`),
    ]),
  )
}

function several(): Request[] {
  return FILTERS.flatMap((filter) => [
    get(`/${TABLE}/multiget?row=ab&row=b&row=none&${query(filter)}`),
    get(`/${TABLE}/multiget?row=ab&row=b&filter_b64=${base64(filter)}`, XML),
    get(`/${TABLE}/multiget/a:2,b?row=ab&row=b&v=3&${query(filter)}`),
    get(`/${TABLE}/multiget?row=ab/a:1&${query(filter)}`, PROTOBUF),
    get(`/${TABLE}/multiget?row=none&${query(filter)}`),
  ])
}

function rows(): Request[] {
  return FILTERS.slice(0, 5).flatMap((filter) => [
    get(`/${TABLE}/ab?${query(filter)}`),
    get(`/${TABLE}/ab/a:2?${query(filter)}`, BINARY),
    get(`/${TABLE}/ab,c?${query(filter)}`),
    get(`/${TABLE}/a*/a:1?${query(filter)}`),
    get(`/${TABLE}/ab?filter_b64=${base64(filter)}`),
  ])
}

const DOUBTFUL: readonly string[] = [
  'filter=',
  'filter',
  'filter=&filter=KeyOnlyFilter()',
  'filter=KeyOnlyFilter()&filter=PageFilter(1)',
  'filter=%28',
  'filter=Nope()',
  'filter=KeyOnlyFilter',
  'filter=%ff',
  'filter=%00',
  "filter=PrefixFilter('%00%01')",
  "filter=PrefixFilter('%C3%BF')",
  "filter=PrefixFilter('%FF')",
  "filter=PrefixFilter('ab')+AND+PageFilter(1)",
  "filter=PrefixFilter('ab')%2BPageFilter(1)",
  "filter=PrefixFilter('a+b')",
  'filter=%7B%22type%22:%22KeyOnlyFilter%22%7D',
  'FILTER=KeyOnlyFilter()',
  'filter_b64=',
  'filter_b64',
  'filter_b64=!!',
  'filter_b64=%28',
  'filter_b64=S2V5T25seUZpbHRlcigp',
  'filter_b64=S2V5T25seUZpbHRlcigp&filter=PageFilter(1)',
  'filter=PageFilter(1)&filter_b64=S2V5T25seUZpbHRlcigp',
  'filter_b64=&filter=PageFilter(1)',
  'filter_b64=!!&filter=PageFilter(1)',
  'filter_b64=S2V5T25seUZpbHRlcigp&filter_b64=UGFnZUZpbHRlcigxKQ',
  'filter_b64=UGFnZUZpbHRlcigxKQ',
  'filter_b64=UGFnZUZpbHRlcigxKQ==',
  'filter_b64=UGFnZUZpbHRlcigxKQ%3D%3D',
  'filter_b64=UGFnZUZpbHRlcigxKQ=',
  'filter_b64=UGFnZUZpbHRlcigxK',
  'filter_b64=UGFn+ZUZpbHRlcigxKQ',
  'filter_b64=Um93RmlsdGVyKD4sICdiaW5hcnk6_yc',
  'filter_b64=UHJlZml4RmlsdGVyKCf__icp',
  'filter_b64=UHJlZml4RmlsdGVyKCf//icp',
  'filter_b64=UHJlZml4RmlsdGVyKCf%2F%2Ficp',
  'filter_b64=eyJ0eXBlIjoiS2V5T25seUZpbHRlciJ9',
  'filter_b64=KA',
  'filterb64=KA',
]

function doubtful(): NamedCase[] {
  return DOUBTFUL.map((parameters) =>
    digested(parameters, parameters, [
      get(`/${TABLE}/*?${parameters}`),
      get(`/${TABLE}/multiget?row=ab&row=b&${parameters}`),
      get(`/${TABLE}/ab?${parameters}`),
    ]),
  )
}

function forms(): Request[] {
  const filter = query("QualifierFilter(=, 'binary:2')")
  return [
    ...[JSON_TYPE, XML, PROTOBUF, TEXT, BINARY].flatMap((type) => [
      get(`/${TABLE}/*?${filter}`, type),
      get(`/${TABLE}/*?filter=%28`, type),
      get(`/${TABLE}/multiget?row=ab&${filter}`, type),
      get(`/${TABLE}/multiget?row=ab&filter=%28`, type),
    ]),
    get(`/conf_filter_none/*?${filter}`),
    get('/conf_filter_none/*?filter=%28'),
    get(`/conf_filter_none/multiget?row=ab&${filter}`),
    get('/conf_filter_none/multiget?row=ab&filter=%28'),
    get('/conf_filter_none/multiget?filter=%28'),
    get(`/${TABLE}/multiget?${filter}`),
    get(`/${TABLE}/multiget?row=ab&v=0&filter=%28`),
    get(`/${TABLE}/*?limit=x&filter=%28`),
    get(`/${TABLE}/*?limit=0&filter=%28`),
    get(`/${TABLE}/*?starttime=9&endtime=5&filter=%28`),
    get(`/${TABLE}/*?column=nosuch:a&${filter}`),
    rest('HEAD', `/${TABLE}/*?filter=%28`),
    rest('POST', `/${TABLE}/*?filter=%28`),
    rest('DELETE', `/${TABLE}/ab?filter=%28`, {}),
  ]
}

function regions(): Request[] {
  const filters = [
    ...FILTERS,
    "ValueFilter(=, 'binary:odd')",
    "WHILE RowFilter(!=, 'binary:r5')",
    "InclusiveStopFilter('r4')",
  ]
  return filters.flatMap((filter) =>
    ['*', 'r*', 'r5*', '*?limit=3', '*?reversed=true'].map((path) =>
      get(`/${REGIONS}/${withQuery(path, query(filter))}`),
    ),
  )
}

function cases(): Case[] {
  return [
    ...listed('filter-rest-scan', scans()),
    ...listed('filter-rest-multiget', several()),
    ...listed('filter-rest-row', rows()),
    ...listed('filter-rest-doubtful', doubtful()),
    ...listed('filter-rest-regions', regions()),
    ...listed('filter-rest-forms', forms()),
  ]
}

export const filterRest: Scenario = {
  name: 'filter-rest',
  tables: [TABLE, REGIONS],
  namespaces: [],
  setup: [...filterTable(TABLE), ...regionsTable(REGIONS)],
  cases: cases(),
}
