import { expect, test } from 'vitest'
import { parsedSettings } from '../parsed-settings.ts'

const USERS = ['--users', '/etc/users']

test("the rules of Hadoop's keys, and those of the option before them", () => {
  const { guard, unread } = parsedSettings(
    ...USERS,
    '-D',
    'hadoop.proxyuser.knox.hosts=10.0.0.1, 10.1.0.0/16',
    '-D',
    'hadoop.proxyuser.knox.users=*',
    '-D',
    'hadoop.proxyuser.hue.hosts=*',
    '-D',
    'hadoop.proxyuser.hue.groups=staff',
    '--proxy-user',
    'hue for ann,bob,@dev from localhost',
    '--proxy-user',
    'x.y for * from *',
  )
  expect(unread.defined).toEqual([])
  expect(Object.fromEntries(guard!.proxyRules!)).toEqual({
    knox: { users: ['*'], groups: [], hosts: ['10.0.0.1', '10.1.0.0/16'] },
    hue: { users: ['ann', 'bob'], groups: ['dev'], hosts: ['localhost'] },
    'x.y': { users: ['*'], groups: [], hosts: ['*'] },
  })
})

test.each([
  [['--proxy-user', 'knox for *'], 'It must be "NAME for USERS from HOSTS"'],
  [['--proxy-user', 'knox for ann, bob from *'], 'No spaces may stand beside its commas'],
  [['--proxy-user', 'knox for * from 10.0.0.0/99'], '10.0.0.0/99 is no address'],
  [
    ['-D', 'hadoop.proxyuser.knox.hosts=10.0.0.0/99'],
    '-D: hadoop.proxyuser.knox.hosts: 10.0.0.0/99 is no address',
  ],
])('%j is refused', (args, words) => {
  expect(() => parsedSettings(...USERS, ...args)).toThrow(words)
})

test.each([
  [[], 1],
  [USERS, 0],
] as const)('rules of a server with the logins %j: %d have no effect', (logins, idle) => {
  expect(parsedSettings(...logins, '--proxy-user', 'knox for * from *').idle).toHaveLength(idle)
})
