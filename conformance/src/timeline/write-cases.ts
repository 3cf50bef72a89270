/** Entities that are put, and what they then are. The first of all requests has the oldest start time: what is older has expired. */

import type { Case } from '../runner/case.ts'
import { listed } from '../runner/case-list.ts'
import { entity, get, post, postText } from './timeline-request.ts'

const START = 1425447797805

const ALL_KINDS = `{"entities":[{"entity":"id_1","entitytype":"type_1","starttime":${START},
"events":[{"timestamp":1425447797806,"eventtype":"ev","eventinfo":{"a":1,"b":"x"}}],
"primaryfilters":{"user":["u",2,"2",2.0,true]},
"otherinfo":{"k":"v","n":null,"l":[1,2],"d":1.5e10,"m":{"x":1},"big":123456789012345678901234567890},
"relatedentities":{"type_2":["r1"]}}]}`

const NAMES = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'epsilon',
  'zeta',
  'eta',
  'theta',
  'iota',
  'kappa',
  'lambda',
  'mu',
]
const numbered = (names: readonly string[]): object => Object.fromEntries(names.map((name, i) => [name, i]))

const VALUES = `{"entities":[{"entity":"v","entitytype":"values","starttime":${START},"otherinfo":{
"zero":0,"minus":-1,"int":2147483647,"int1":2147483648,"low":-2147483649,"long":9223372036854775807,
"over":9223372036854775808,"under":-9223372036854775809,"half":0.5,"whole":2.0,"small":1e-5,"thousandth":0.001,
"seven":1e7,"huge":1.7976931348623157e308,"minuszero":-0.0,"yes":true,"no":false,"empty":"","list":[],"map":{},
"nested":[[1,["a",null]],{"x":{"y":null,"z":[{}]}}],"text":"a\\"b\\\\c\\n\\t\\u0001\\u001f/é日😀<&>"},
"events":[{"timestamp":1,"eventtype":"null info","eventinfo":null},
{"timestamp":2,"eventtype":"null in info","eventinfo":{"n":null,"l":[null]}},{"timestamp":3,"eventtype":"none"}]}]}`

const entities = [
  postText('all kinds', ALL_KINDS),
  get('/type_1', 'all kinds read'),
  get('/type_1/id_1', 'all kinds one'),
  get('/type_2/r1', 'the related one'),
  get('/type_2', 'all related'),
  postText('values', VALUES),
  get('/values/v'),
  get('/values/events?entityId=v', 'values of events'),
  entity('names', { entity: 'n', entitytype: 'names', starttime: START, otherinfo: numbered(NAMES) }),
  get('/names/n'),
  entity('names of events', {
    entity: 'e',
    entitytype: 'names',
    starttime: START,
    events: [3, 4, 6, 7, 12].map((count) => ({
      timestamp: count,
      eventtype: `t${count}`,
      eventinfo: numbered(NAMES.slice(0, count)),
    })),
  }),
  get('/names/e'),
  entity('names of relations', {
    entity: 'r',
    entitytype: 'names',
    starttime: START,
    relatedentities: { q: ['1', '2', '33', 'abc', 'zz'], w: ['x'], e: ['y'] },
  }),
  get('/names/r'),
  get('/q/abc'),
  get('/q?fields=relatedentities'),
]

const updates = [
  entity('made', {
    entity: 'u',
    entitytype: 'up',
    starttime: START,
    otherinfo: { a: 1, b: 1 },
    primaryfilters: { f: [1] },
  }),
  entity(
    'changed',
    { entity: 'u', entitytype: 'up', starttime: 5, otherinfo: { a: 2, c: 3 }, primaryfilters: { f: [2] } },
    'bob',
  ),
  get('/up/u', 'the first start time stays'),
  get('/up?primaryFilter=f:1&fields=otherinfo', 'by the first filter'),
  get('/up?primaryFilter=f:2&fields=otherinfo', 'by the second filter'),
  entity('changed without start time', { entity: 'u', entitytype: 'up', otherinfo: { a: 4 } }),
  get('/up/u?fields=otherinfo', 'changed without start time read'),
  entity('an event', {
    entity: 'u',
    entitytype: 'up',
    events: [{ timestamp: 1, eventtype: 'x', eventinfo: { a: 1 } }],
  }),
  entity('the same event', {
    entity: 'u',
    entitytype: 'up',
    events: [{ timestamp: 1, eventtype: 'x', eventinfo: { a: 2 } }],
  }),
  get('/up/u?fields=events', 'the same event read'),
  entity('the same event twice at once', {
    entity: 'u',
    entitytype: 'up',
    events: [
      { timestamp: 2, eventtype: 'x', eventinfo: { a: 1 } },
      { timestamp: 2, eventtype: 'x', eventinfo: { a: 2 } },
    ],
  }),
  get('/up/u?fields=events', 'the last event counts'),
  post('the same entity twice at once', {
    entities: [
      { entity: 'w', entitytype: 'up', starttime: START, otherinfo: { a: 1 } },
      { entity: 'w', entitytype: 'up', starttime: START + 1, otherinfo: { a: 2 } },
    ],
  }),
  get('/up/w'),
]

const startTimes = [
  entity('no start time', { entity: 'none', entitytype: 'start' }),
  entity('no start time but events', {
    entity: 'events',
    entitytype: 'start',
    events: [
      { timestamp: START + 95, eventtype: 'b' },
      { timestamp: START + 5, eventtype: 'a' },
      { timestamp: START + 50, eventtype: 'c' },
    ],
  }),
  entity('a start time after events', {
    entity: 'later',
    entitytype: 'start',
    starttime: START + 99,
    events: [{ timestamp: 3, eventtype: 'a' }],
  }),
  entity('no list of events', { entity: 'null', entitytype: 'start', events: null }),
  entity('no list of events but start time', {
    entity: 'nulls',
    entitytype: 'start',
    starttime: START,
    events: null,
  }),
  entity('start time as text', { entity: 'text', entitytype: 'start', starttime: String(START) }),
  entity('start time with a fraction', { entity: 'fraction', entitytype: 'start', starttime: START + 0.75 }),
  entity('start time in future', { entity: 'future', entitytype: 'start', starttime: 4102444800000 }),
  get('/start?fields=events', 'all start times'),
  get('/start/none'),
  get('/start/null', 'null that is not there'),
  get('/start/future'),
  get('/start?windowStart=4102444799999&fields=otherinfo', 'future in window'),
  entity('expired', { entity: 'old', entitytype: 'start', starttime: 1325447797805 }),
  get('/start/old', 'expired read'),
  entity('expired again with another start time', { entity: 'old', entitytype: 'start', starttime: START }),
  entity('before 1970', { entity: 'neg', entitytype: 'start', starttime: -1 }),
  entity('at 1970', { entity: 'zero', entitytype: 'start', starttime: 0 }),
]

const relations = [
  entity('relates', {
    entity: 'r1',
    entitytype: 'rel',
    starttime: START,
    relatedentities: { up: ['u', 'new1'], start: ['old'] },
  }),
  get('/rel/r1'),
  get('/up/u?fields=relatedentities', 'related before'),
  get('/up/new1'),
  entity('of another domain', {
    entity: 'r2',
    entitytype: 'rel',
    starttime: START,
    domain: 'dom',
    relatedentities: { up: ['u'] },
  }),
  get('/up/u?fields=relatedentities', 'related by another domain'),
  post('in one post of a domain', {
    entities: [
      { entity: 'd1', entitytype: 'dd', starttime: START, domain: 'dom' },
      { entity: 'd2', entitytype: 'dd', starttime: START, domain: 'dom', relatedentities: { dd: ['d1'] } },
    ],
  }),
  get('/dd?fields=relatedentities', 'in one post of a domain read'),
  post('in another post of a domain', {
    entities: [{ entity: 'd2', entitytype: 'dd', domain: 'dom', relatedentities: { dd: ['d1'], up: ['u'] } }],
  }),
  get('/dd?fields=relatedentities', 'in another post of a domain read'),
  entity('to itself', {
    entity: 's',
    entitytype: 'self',
    starttime: START,
    relatedentities: { self: ['s'] },
  }),
  get('/self/s'),
  post('to one that comes next', {
    entities: [
      { entity: 'f1', entitytype: 'fwd', starttime: START + 1, relatedentities: { fwd: ['f2'] } },
      { entity: 'f2', entitytype: 'fwd', starttime: START + 2 },
    ],
  }),
  get('/fwd'),
  entity('a related one gets the domain', {
    entity: 'g',
    entitytype: 'gd',
    starttime: START,
    domain: 'dom',
    relatedentities: { gx: ['x'] },
  }),
  get('/gx/x'),
]

const refused = [
  entity('into another domain', { entity: 'u', entitytype: 'up', domain: 'dom' }),
  entity('into no domain', { entity: 'nd', entitytype: 'up', domain: '', starttime: START }),
  get('/up/nd'),
  entity('into a domain that is not there', {
    entity: 'xd',
    entitytype: 'up',
    domain: 'nowhere',
    starttime: START,
  }),
  get('/up/xd'),
  post('some of several', {
    entities: [
      { entity: 'ok', entitytype: 'some', starttime: START },
      { entity: 'u', entitytype: 'up', domain: 'dom' },
      { entity: 'old', entitytype: 'some', starttime: 7 },
      { entity: 'ok2', entitytype: 'some', starttime: START },
    ],
  }),
  get('/some?fields=events'),
  entity('without id', { entitytype: 'some' }),
  entity('without type', { entity: 'some' }),
  post('without id after others', {
    entities: [{ entity: 'ok3', entitytype: 'some', starttime: START }, { entitytype: 'some' }],
  }),
  get('/some/ok3', 'nothing of it was put'),
  entity('empty id and type', { entity: '', entitytype: '', starttime: START }),
  entity('empty id', { entity: '', entitytype: 'some', starttime: START }),
]

export const writeCases: readonly Case[] = [
  ...listed('timeline-write', entities),
  ...listed('timeline-update', updates),
  ...listed('timeline-start', startTimes),
  ...listed('timeline-relate', relations),
  ...listed('timeline-refuse', refused),
]
