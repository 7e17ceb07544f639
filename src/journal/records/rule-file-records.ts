// The journal's records of rule files.
import type { Journal, RuleFileKey } from '../types.ts'
import { key } from './keys.ts'
import type { Records } from './records.ts'

const keyOf = ({ service, project, path }: RuleFileKey) => key('rule file', service, project, path)

/** The journal's methods for rule files. A record that nobody reads for `keepMs` milliseconds is deleted. */
export function ruleFileRecords(records: Records, keepMs: number): Pick<Journal, 'saveRuleFile' | 'ruleFile'> {
  return {
    saveRuleFile: (file) => records.write(keyOf(file), file, keepMs),
    ruleFile: (file) => records.readAndExtend(keyOf(file), keepMs),
  }
}
