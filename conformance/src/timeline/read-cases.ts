/** Questions about entities and their events, on entities of their own. */

import type { Case } from '../runner/case.ts'
import { listed } from '../runner/case-list.ts'
import { get, post } from './timeline-request.ts'

const FIRST = 1425447797805
const SECOND = 1425447897805
const THIRD = 1425457797805

const ENTITIES = {
  entities: [
    {
      entity: 'a1',
      entitytype: 'w',
      starttime: FIRST,
      events: [10, 20, 30].flatMap((timestamp) => [
        { timestamp, eventtype: 'x' },
        { timestamp, eventtype: 'y' },
      ]),
      primaryfilters: { u: ['p'], n: [1] },
      otherinfo: { i: 1, t: '1', b: true },
    },
    {
      entity: 'a2',
      entitytype: 'w',
      starttime: SECOND,
      primaryfilters: { u: ['p', 'q'] },
      otherinfo: { i: 2 },
    },
    {
      entity: 'a3',
      entitytype: 'w',
      starttime: THIRD,
      primaryfilters: { u: ['p'] },
      otherinfo: { i: 1, u: 'other' },
    },
    {
      entity: 'a0',
      entitytype: 'w',
      starttime: FIRST,
      primaryfilters: { u: ['p'] },
      events: [{ timestamp: 20, eventtype: 'x' }],
    },
    { entity: 'a4', entitytype: 'w', starttime: 1525457797805, primaryfilters: { 'with space': ['a b'] } },
    { entity: 'a1', entitytype: 'wx', starttime: FIRST },
  ],
}

/** With the other information only, so that answers are short. */
const short = (query: string): ReturnType<typeof get> => get(`/w?fields=otherinfo&${query}`, query)

const all = [
  post('entities', ENTITIES),
  get('/w', 'all'),
  get('/none', 'none of the type'),
  get('/w/none', 'not there'),
  ...['events', 'lastEventOnly', 'relatedEntities', 'primaryfilters', 'OTHERINFO'].map((field) =>
    get(`/w?fields=${field}`),
  ),
  ...['events,otherinfo', 'events,lasteventonly', '%20events%20,%20otherinfo', ',', 'events,'].map((fields) =>
    get(`/w/a1?fields=${fields}`, `one fields ${fields}`),
  ),
  ...['limit=2', 'limit=0', 'limit=-1', 'limit=%201%20', 'limit=%2B1', 'limit=9223372036854775807'].map(
    short,
  ),
  short(`windowStart=${SECOND}`),
  short(`windowStart=${SECOND - 1}`),
  short(`windowEnd=${SECOND}`),
  short(`windowEnd=${SECOND - 1}`),
  short(`windowStart=${SECOND - 1}&windowEnd=${THIRD}`),
  short(`windowStart=${THIRD}&windowEnd=${SECOND}`),
  short('windowEnd=5'),
  short('windowEnd=-5'),
  short('windowStart=-5'),
  short('fromId=a1'),
  short('fromId=a1&limit=1'),
  short('fromId=a0&limit=2'),
  short('fromId=a3'),
  short('fromId=none'),
  short(`fromId=a3&windowEnd=${SECOND}`),
  short(`fromId=a2&windowStart=${FIRST}`),
  get('/%77?fields=otherinfo', 'type in escapes'),
  get('/%20w%20?fields=otherinfo', 'type between spaces'),
  get('/w/?fields=otherinfo', 'type before slash'),
  get('/w/a1/?fields=otherinfo', 'id before slash'),
  get('/w/%20a1?fields=otherinfo', 'id after space'),
  get('/w;a=b/a1;x=1?fields=otherinfo', 'matrix parameters'),
  get('/w/a1?fields=events&fields=otherinfo', 'fields twice'),
]

const filters = [
  ...[
    'primaryFilter=u:p',
    'primaryFilter=u:q',
    'primaryFilter=u:%22p%22',
    'primaryFilter=u:none',
    'primaryFilter=none:p',
    'primaryFilter=n:1',
    'primaryFilter=n:1.0',
    'primaryFilter=n:%221%22',
    'primaryFilter=n:1x',
    'primaryFilter=n:1%20x',
    'primaryFilter=%20u%20:%20p%20',
    'primaryFilter=with%20space:a%20b',
    'primaryFilter=u:',
    'primaryFilter=:p',
    'primaryFilter=u:p&limit=2',
    'primaryFilter=u:p&fromId=a2',
    'primaryFilter=u:p&fromId=a1&limit=1',
    'primaryFilter=u:p&fromId=a4',
    `primaryFilter=u:p&windowStart=${FIRST}`,
    `primaryFilter=u:p&windowEnd=${SECOND}`,
    'primaryFilter=u:p&secondaryFilter=i:1',
    'secondaryFilter=i:1',
    'secondaryFilter=i:1.0',
    'secondaryFilter=i:%221%22',
    'secondaryFilter=t:1',
    'secondaryFilter=t:%221%22',
    'secondaryFilter=b:true',
    'secondaryFilter=b:%22true%22',
    'secondaryFilter=u:p',
    'secondaryFilter=u:other',
    'secondaryFilter=i:1,u:p',
    'secondaryFilter=i:1,',
    'secondaryFilter=,',
    'secondaryFilter=i:null',
    'secondaryFilter=i:1&limit=1',
    'secondaryFilter=n:1',
    'secondaryFilter=none:1',
  ].map(short),
  get('/w?secondaryFilter=i:1&fields=events', 'secondary filter with other fields'),
  get('/w?secondaryFilter=n:1&fields=primaryfilters', 'secondary filter with its field'),
  ...['k', '', ':'].map((text) =>
    get(`/w?primaryFilter=${text}`, `broken primary filter ${text || 'empty'}`),
  ),
  ...['k', '', ',i:1', 'l:[1,2]'].map((text) =>
    get(`/w?secondaryFilter=${encodeURIComponent(text)}`, `broken secondary filter ${text || 'empty'}`),
  ),
  ...['fromTs=1', 'fromTs=99999999999999'].map(short),
]

const events = [
  'entityId=a1',
  'entityId=a0,a1,a2,a3',
  'entityId=a1,none',
  'entityId=none',
  'entityId=',
  'entityId=a1,a1',
  'entityId=%20a1%20,%20a2',
  'entityId=a1&eventType=x',
  'entityId=a1&eventType=x,y',
  'entityId=a1&eventType=none',
  'entityId=a1&eventType=',
  'entityId=a1&eventType=%20x%20',
  'entityId=a1&limit=1',
  'entityId=a0,a1&limit=1',
  'entityId=a1&limit=0',
  'entityId=a1&limit=-1',
  'entityId=a1&windowStart=20',
  'entityId=a1&windowStart=19',
  'entityId=a1&windowEnd=20',
  'entityId=a1&windowEnd=19',
  'entityId=a1&windowStart=10&windowEnd=20&limit=1',
  'entityId=a1&windowStart=30&windowEnd=20',
  'entityId=a1&eventType=x&limit=2',
  'entityId=a1&windowStart=x',
  'entityId=a1&windowEnd=1.5',
  'entityId=a1&limit=',
].map((query) => get(`/w/events?${query}`, query))

const numbers = ['', 'x', '1.5', '9223372036854775808', '-9223372036854775809', '0x1', '1e3']
const badNumbers = ['limit', 'windowStart', 'windowEnd', 'fromTs'].flatMap((name) =>
  (name === 'limit' ? numbers : numbers.slice(0, 2)).map((text) =>
    get(`/w?${name}=${text}`, `bad ${name} ${text || 'empty'}`),
  ),
)

const fields = ['x', '', 'events,x', 'events;otherinfo'].flatMap((text) => [
  get(`/w?fields=${encodeURIComponent(text)}`, `bad fields ${text || 'empty'}`),
  get(`/w/a1?fields=${encodeURIComponent(text)}`, `bad fields of one ${text || 'empty'}`),
])

export const readCases: readonly Case[] = [
  ...listed('timeline-read', all),
  ...listed('timeline-filter', filters),
  ...listed('timeline-events', [
    get('/w/events', 'no ids'),
    get('/none/events?entityId=a1', 'of another type'),
    ...events,
  ]),
  ...listed('timeline-bad', [...badNumbers, ...fields]),
]
