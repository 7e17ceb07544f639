// Writes a first rule file from a few answers.
export interface FirstRulesOptions {
  /** Glob; merge requests that change only such files are labelled. */
  documentation?: string
  /** Users whose merge requests are merged once green. */
  dependencyBots: readonly string[]
  /** `@bellhop merge` in a comment. */
  mergeOnRequest: boolean
  /** A note for the author of what is red or conflicts. */
  tellAuthor: boolean
  /** The project has pipelines. */
  pipelines: boolean
}

/** `schema` is the address of the JSON Schema. */
export function firstRules(
  { documentation, dependencyBots, mergeOnRequest, tellAuthor, pipelines }: FirstRulesOptions,
  schema: string,
): string {
  const accept = pipelines ? '' : ', pipeline: none'
  const rules: string[] = []
  if (documentation !== undefined)
    rules.push(`  - name: label documentation
    if: { changed_files: { all: ${quoted(documentation)} } }
    then: { label: { add: documentation } }
`)
  if (dependencyBots.length > 0)
    rules.push(`  - name: merge dependency updates${pipelines ? ' when green' : ''}
    if:
      author: [${dependencyBots.map(quoted).join(', ')}]
      pushed_by: { all: [${dependencyBots.map(quoted).join(', ')}] }
      labels: { none: [hold] }
      draft: false${pipelines ? '\n      pipeline: success' : ''}
    then:
      approve: true
      accept: { remove_source_branch: true${accept} }
`)
  if (mergeOnRequest)
    rules.push(`  - name: merge on request
    # A Maintainer writes "@bellhop merge" into a comment (the name is that of Bellhop's user).
    on: note.create
    command: merge
    then: { accept: ${pipelines ? '{ when: pipeline_succeeds }' : '{ pipeline: none }'} }
`)
  if (tellAuthor) rules.push(tellAuthorRules(pipelines))
  return `# yaml-language-server: $schema=${schema}
#
# The rules of Bellhop for this project. The file of the default branch is in force.
# bellhop check FILE finds mistakes; bellhop explain PROJECT NUMBER explains what the rules decide.
version: 1
rules:${rules.length === 0 ? ' []' : `\n${rules.join('\n')}`.trimEnd()}
`
}

function tellAuthorRules(pipelines: boolean): string {
  const rule = (of: string, condition: string, text: string) => `  - name: tell the author of ${of}
    if: { state: opened, draft: false, ${condition} }
    then: { comment: { while: "@{{ author }}, ${text}." } }
`
  const failed = rule('a failed pipeline', 'pipeline: failed', 'the pipeline failed: please have a look')
  const text = 'this conflicts with {{ target_branch }}: please rebase'
  return `${pipelines ? `${failed}\n` : ''}${rule('conflicts', 'has_conflicts: true', text)}`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
