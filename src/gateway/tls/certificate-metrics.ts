/** How long the certificates of the server still count. */

import type { Metric } from '../../model/metric.ts'
import type { Certificates } from './certificates.ts'

const DAY_MS = 86_400_000

/** None without certificates. */
export function certificateMetrics(certificates: Pick<Certificates, 'ends'> | undefined): readonly Metric[] {
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
  ]
}
