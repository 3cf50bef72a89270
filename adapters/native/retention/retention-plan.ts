import type { FamilyRules } from '../read/family-rules.ts'
import { NewVersionRetention } from './new-version-retention.ts'
import {
  KEEP_ALL,
  type Retention,
  RetentionMatcher,
  type RetentionTime,
  type TombstoneDrop,
} from './retention-matcher.ts'

/** Which cells a flush or a compaction writes, as data. */
export type RetentionPlan =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'by rules'
      readonly rules: FamilyRules
      readonly time: RetentionTime
      /** Undefined: tombstones stay. */
      readonly drop?: TombstoneDrop
    }
  | { readonly kind: 'new versions'; readonly rules: FamilyRules; readonly time: RetentionTime }

export function retentionOf(plan: RetentionPlan): Retention {
  switch (plan.kind) {
    case 'all':
      return KEEP_ALL
    case 'by rules':
      return new RetentionMatcher(plan.rules, plan.time, plan.drop)
    case 'new versions':
      return new NewVersionRetention(plan.rules, plan.time)
  }
}
