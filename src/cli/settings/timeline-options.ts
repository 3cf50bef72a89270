import {
  readTimelineSettings,
  TimelineSettingError,
  type TimelineSettings,
} from '../../doors/timeline/service/timeline-settings.ts'
import { UsageError } from '../failures/usage-error.ts'

/** The timeline door's settings, by YARN's keys. Throws UsageError. */
export function timelineSettings(properties: ReadonlyMap<string, string>): TimelineSettings {
  try {
    return readTimelineSettings(properties)
  } catch (error) {
    if (error instanceof TimelineSettingError) throw new UsageError(error.message, error.key)
    throw error
  }
}
