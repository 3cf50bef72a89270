import { OWN_CALL } from '../../../store/call.ts'
import { type LocalReads, type LocalStore, orAskStore } from '../../../store/port/thread-store.ts'
import type { ChangeCount } from '../own-tables/current-content.ts'
import { AccessChecker } from './access-checker.ts'
import { authorizedReads } from './cells/authorized-reads.ts'
import { EARLY_OUT } from './cells/early-out.ts'
import { allPermissions } from './permissions/acl-table.ts'
import { currentGrants } from './permissions/current-grants.ts'
import type { Subjects } from './permissions/subject.ts'

/**
 * The reads of a thread, with the access control that withAuthorization gives those of the main thread. `own`: the same reads before any policy.
 * `changes`: the count that the main thread raises.
 */
export function readsByPermissions(
  reads: LocalReads,
  own: LocalStore,
  subjects: Subjects,
  changes: ChangeCount,
): LocalReads {
  const current = currentGrants(() => orAskStore(() => allPermissions(own, OWN_CALL)), { changes })
  const checker = new AccessChecker(subjects, () => current.get())
  const { rows } = reads
  return {
    ...reads,
    rows: authorizedReads({ rows, catalog: own, checker, keepsTags: true, earlyOut: EARLY_OUT }),
  }
}
