/** The capturing groups that a pattern has opened so far. */
export interface CaptureGroups {
  count: number
  readonly byName: Map<string, number>
}
