/** The users of the recorded questions about visibility labels, and what they may see. */

export const SUPERUSER = 'super'
/** May see labels as a member of a group alone. */
export const MEMBER = 'gina'
export const GROUP = 'staff'

/** `carol` has the label `system`, and so sees everything; `eve` has none. */
export type Person = 'super' | 'alice' | 'bob' | 'carol' | 'gina' | 'eve'
export const PEOPLE: readonly Person[] = [SUPERUSER, 'alice', 'bob', 'carol', MEMBER, 'eve']

export const LABELS = [
  'secret',
  'topsecret',
  'confidential',
  'public',
  'probationary',
  'with space',
  'quo"te',
  'back\\slash',
  'größe',
  'a.b/c:d-e_f',
] as const

export const AUTHS: Readonly<Record<string, readonly string[]>> = {
  alice: ['secret', 'topsecret', 'with space'],
  bob: ['public', 'secret'],
  carol: ['system'],
  [`@${GROUP}`]: ['confidential', 'probationary'],
}
