// The environment of git: no terminal, no configuration of the machine, no hook.

/** Settings are passed with the command, so that no file holds them. */
export function gitEnvironment(config: Readonly<Record<string, string>>): Record<string, string> {
  const settings = Object.entries({ 'core.hooksPath': '/dev/null', ...config })
  return {
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    // A push can bring replacements: one commit must not stand for another.
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    // Empty, not absent: git would use SSH_ASKPASS instead.
    GIT_ASKPASS: '',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}
