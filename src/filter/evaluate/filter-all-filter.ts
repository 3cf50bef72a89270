import { BaseEvaluator } from './base-evaluator.ts'
import { FilterCode } from './filter-code.ts'

export class FilterAllFilter extends BaseEvaluator {
  override filterRowKey(): boolean {
    return true
  }

  override filterAllRemaining(): boolean {
    return true
  }

  override filterCell(): FilterCode {
    return FilterCode.Skip
  }
}
