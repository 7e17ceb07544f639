// The journal's records of rule files.
import type { JournalStore } from '../stores/store.ts'
import type { Journal, RuleFileKey } from '../types.ts'
import { key } from './keys.ts'
import { putProjectName } from './name-records.ts'
import type { Records } from './records.ts'

const keyOf = ({ project, path }: RuleFileKey) => key('rule file', project, path)

/** The journal's methods for rule files. A record that nobody reads for `keepMs` milliseconds is deleted. */
export function ruleFileRecords(
  store: JournalStore,
  records: Records,
  keepMs: number,
): Pick<Journal, 'saveRuleFile' | 'ruleFile'> {
  return {
    saveRuleFile(file) {
      const { project, projectPath: path = '', projectUrl: url = '' } = file
      const name = path === '' ? [] : putProjectName(project, { path, url }, keepMs)
      return store.write({ put: [{ key: keyOf(file), value: JSON.stringify(file), keepMs }, ...name] })
    },
    ruleFile: (file) => records.readAndExtend(keyOf(file), keepMs),
  }
}
