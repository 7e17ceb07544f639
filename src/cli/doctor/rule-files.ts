// The operator's rule folder: can every file be used.
import { stat } from 'node:fs/promises'
import { OperatorFilesError, readOperatorFiles } from '../../bot/operator-files.ts'
import { readPolicyFile } from '../../bot/policy-file.ts'
import { count } from '../../rules/wording.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

export async function examineRuleFiles(folder: string): Promise<Finding[]> {
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isThere)
    return [
      warn(
        'rules',
        `There is no folder ${folder}: no rules of the operator’s are in force.`,
        'Name the folder in BELLHOP_RULES, where there is one.',
      ),
    ]
  try {
    const files = await readOperatorFiles(folder)
    const policy = await readPolicyFile(folder)
    const rules = files.reduce((sum, each) => sum + each.rules.rules.length, 0)
    return [
      ok(
        'rules',
        `${count(files.length, 'file')} with ${count(rules, 'rule')} in ${folder}, and ${policy.length === 0 ? 'no policy' : 'a policy'}.`,
      ),
    ]
  } catch (error) {
    if (!(error instanceof OperatorFilesError)) throw error
    return error.message
      .split('\n')
      .map((line) => fail('rules', line, 'Mend it: Bellhop does not start with it. bellhop check shows the line.'))
  }
}
