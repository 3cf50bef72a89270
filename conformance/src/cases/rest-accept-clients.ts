/** Answers of every GET resource to common clients that take any type. */

import { type Case, rest, type Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import { JSON_TYPE, send, tableOfRows, XML } from './rest-request.ts'

const TABLE = 'conf_rest_clients'
const NONE = 'conf_rest_none'

/** By client, the Accept that it sends by default. */
const CLIENTS: Readonly<Record<string, string>> = {
  curl: '*/*',
  jquery: 'text/plain, */*; q=0.01',
  chrome:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  java: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  'later java': 'text/html, image/gif, image/jpeg, */*; q=0.2',
  'any application type': 'application/*',
}

/** Clients that would rather have JSON than anything else. */
const JSON_FIRST: Readonly<Record<string, string>> = {
  httpie: 'application/json, */*;q=0.5',
  axios: 'application/json, text/plain, */*',
}

function asked(path: string, clients: Readonly<Record<string, string>>): NamedCase[] {
  return Object.entries(clients).map(([client, accept]) =>
    named(`${path} by ${client}`, rest('GET', path, { Accept: accept })),
  )
}

/** By Go's client too, which sends no Accept. */
function askedByAll(path: string): NamedCase[] {
  return [named(`${path} by go`, rest('GET', path)), ...asked(path, CLIENTS)]
}

function short(label: string): string {
  return label.replace(`/${TABLE}`, '').replace(`/${NONE}`, '/none')
}

/** Without the table in the names of the cases. */
function list(area: string, cases: readonly NamedCase[]): Case[] {
  return listed(
    area,
    cases.map((each) => ({ ...each, label: short(each.label) })),
  )
}

const DOCUMENTS = ['/', '/version', '/version/rest', '/version/cluster', '/status/cluster', '/namespaces']
  .concat('/namespaces/default', `/${TABLE}/schema`, `/${TABLE}/regions`, `/${TABLE}/exists`)
  .concat(`/${NONE}/exists`, `/${NONE}/schema`, `/${NONE}/regions`, `/${TABLE}/multiget?row=r1`)
const ROWS = [`/${TABLE}/r1`, `/${TABLE}/r1/f:a,f:b`, `/${TABLE}/r1,r3`, `/${TABLE}/nope`, `/${NONE}/r1`]
const VALUES = [`/${TABLE}/r1/f:a`, `/${TABLE}/r1/g:`]
const SCANS = [`/${TABLE}/r*`, `/${TABLE}/*?limit=2`, `/${TABLE}/nope*`]

const open = send('PUT', `/${TABLE}/scanner`, JSON_TYPE, '{"batch":3}')
const close = rest('DELETE', '{scanner}')

const scanners: readonly Listed[] = [
  named('batch by go', [open, rest('GET', '{scanner}'), rest('GET', '{scanner}?n=1'), close]),
  ...Object.entries(CLIENTS).map(([client, Accept]) =>
    named(`batch by ${client}`, [
      open,
      rest('GET', '{scanner}', { Accept }),
      rest('GET', '{scanner}?c=2', { Accept }),
      rest('GET', '{scanner}', { Accept: XML }),
      close,
    ]),
  ),
]

const ALL = [...DOCUMENTS, ...ROWS, ...VALUES, ...SCANS]

/** HEAD, in a type that is not in question. */
const heads: readonly NamedCase[] = ALL.map((path) =>
  named(path, rest('HEAD', path, { Accept: 'text/xml, */*;q=0.1' })),
)

export const restAcceptClients: Scenario = {
  name: 'rest-accept-clients',
  tables: [TABLE],
  namespaces: [],
  setup: tableOfRows(TABLE),
  cases: [
    ...list('rest-any-document', DOCUMENTS.flatMap(askedByAll)),
    ...list('rest-any-row', ROWS.flatMap(askedByAll)),
    ...list('rest-any-value', VALUES.flatMap(askedByAll)),
    ...list('rest-any-scan', SCANS.flatMap(askedByAll)),
    ...listed('rest-any-scanner', scanners),
    ...list(
      'rest-json-first',
      ALL.flatMap((path) => asked(path, JSON_FIRST)),
    ),
    ...list('rest-head', heads),
  ],
}
