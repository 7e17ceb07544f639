// `bellhop schema`: prints the JSON Schema of rule files.
import { Command } from 'commander'
import { beyondSchema, ruleFileSchema } from '../../rules/language/schema/rule-file.ts'
import { printJson } from '../output/terminal-text.ts'

const help = `
Example:
  $ bellhop schema > bellhop.schema.json

Editors with a YAML language server then check and complete a rule file that starts with:
  # yaml-language-server: $schema=bellhop.schema.json

bellhop check also finds:
${beyondSchema.map((each) => `  - ${each}`).join('\n')}`

export function schema(): Command {
  return new Command().addHelpText('after', help).action(() => printJson(ruleFileSchema()))
}
