/** How long the certificates of the server and the lists of revoked ones still count. */

import type { Metric } from '../../model/metric.ts'
import type { Certificates } from './certificates.ts'

const DAY_MS = 86_400_000

/** None without certificates. */
export function certificateMetrics(
  certificates: Pick<Certificates, 'ends' | 'listEnds'> | undefined,
): readonly Metric[] {
  if (certificates === undefined) return []
  return [
    {
      name: 'tidegate_certificate_days_left',
      kind: 'gauge',
      help: 'Days until a certificate of the server expires; below 0 once it has',
      labels: ['file'],
      // All processes read the same files.
      together: 'first',
      read: () =>
        certificates.ends.map(({ file, endMs }) => ({
          labels: { file },
          value: (endMs - Date.now()) / DAY_MS,
        })),
    },
    {
      name: 'tidegate_revocation_list_days_left',
      kind: 'gauge',
      help: 'Days until a list of revoked certificates expires; below 0 once it has, and every client of its issuer is refused',
      labels: ['file', 'issuer'],
      together: 'first',
      read: () =>
        certificates.listEnds.map(({ file, issuer, endMs }) => ({
          labels: { file, issuer },
          value: (endMs - Date.now()) / DAY_MS,
        })),
    },
  ]
}
