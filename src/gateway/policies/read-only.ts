/** A store that can only be read: each change is READ_ONLY, before the store behind it sees the call. */

import { HBaseError } from '../../model/errors.ts'
import { intercepted } from '../../store/interceptors.ts'
import type { Store } from '../../store/store.ts'

/** `setting`: the one that asks for it, for people. */
export function readOnly<Own extends Store>(
  store: Own,
  setting: string = '--read-only',
): Store & Pick<Own, 'catalog'> {
  const refuse = (): Promise<never> =>
    Promise.reject(new HBaseError('READ_ONLY', `this server takes no changes (${setting})`))
  return intercepted(store, ({ changes }) => (changes === 'nothing' ? undefined : refuse))
}
