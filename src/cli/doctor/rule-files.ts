// Checks the operator's rule folder.
import { stat } from 'node:fs/promises'
import { OperatorFilesError, readOperatorFiles, readPolicyFile } from '../../bot/rule-files/operator-files.ts'
import { count } from '../../rules/language/values/wording.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warn, fail } = findingsOf('rules')

export async function examineRuleFiles(folder: string): Promise<Finding[]> {
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isThere)
    return [
      warn(`There is no folder ${folder}: no operator rules are in force.`, 'Set BELLHOP_RULES if there should be.'),
    ]
  try {
    const files = await readOperatorFiles(folder)
    const policy = await readPolicyFile(folder)
    const rules = files.reduce((sum, each) => sum + each.rules.rules.length, 0)
    return [
      ok(
        `${count(files.length, 'file')} with ${count(rules, 'rule')} in ${folder}, and ${policy.length === 0 ? 'no policy' : 'a policy'}.`,
      ),
    ]
  } catch (error) {
    if (!(error instanceof OperatorFilesError)) throw error
    return error.message
      .split('\n')
      .map((line) => fail(line, 'Fix it: Bellhop does not start with it. bellhop check shows the line.'))
  }
}
