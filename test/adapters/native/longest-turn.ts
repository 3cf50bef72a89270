export { longestTurnOf, longestTurnOfBestTry } from '../../harness/longest-turn.ts'
