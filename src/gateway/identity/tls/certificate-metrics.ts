/** Metrics: expiry of the server's certificates and of revocation lists, and clients whose certificate was refused. */

import type { Metric } from '../../../model/metric.ts'
import type { Certificates } from './certificates.ts'

const DAY_MS = 86_400_000

/** None for a server without certificates. */
export function certificateMetrics(
  certificates: Pick<Certificates, 'ends' | 'listEnds' | 'refusals'> | undefined,
): readonly Metric[] {
  if (certificates === undefined) return []
  return [
    {
      name: 'tidegate_certificate_days_left',
      kind: 'gauge',
      help: 'Days until a certificate of the server expires; below 0 once it has',
      labels: ['file'],
      // All processes read the same files: the value of the first one is enough.
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
    {
      name: 'tidegate_refused_certificates_total',
      kind: 'counter',
      help: "Clients' connections that ended because of their certificate, or because they showed none",
      labels: ['door', 'reason'],
      read: () => certificates.refusals.samples,
    },
  ]
}
