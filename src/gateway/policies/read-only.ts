/** A store that can only be read. Each change throws READ_ONLY before the store behind it gets the call. */

import { HBaseError } from '../../model/errors.ts'
import { intercepted } from '../../store/interceptors.ts'
import type { Store } from '../../store/store.ts'

/** `setting`: the setting that makes it read-only, for people. */
export function readOnly<Own extends Store>(
  store: Own,
  setting: string = '--read-only',
): Store & Pick<Own, 'catalog'> {
  const refuse = (): Promise<never> =>
    Promise.reject(new HBaseError('READ_ONLY', `this server takes no changes (${setting})`))
  return intercepted(store, ({ changes }) => (changes === 'nothing' ? undefined : refuse))
}
