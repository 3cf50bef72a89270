/**
 * Milliseconds within which a store's `outage` answers. The poll of all processes' health (src/cli/workers/polls.ts) waits longer: it
 * would leave out a process whose store takes as long as the poll.
 */
export const OUTAGE_WAIT_MS = 1_500
