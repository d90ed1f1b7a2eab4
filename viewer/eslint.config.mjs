import tseslint from 'typescript-eslint';

// Names in a model file are not to be trusted: nothing may be written as markup.
const markup = ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc'];

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '*.mjs', 'sample/'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      'no-eval': 'error',
      // Loops over numbers index within the bounds they run to.
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-properties': [
        'error',
        ...markup.map((property) => ({ property, message: 'Use textContent.' })),
        { object: 'document', property: 'write', message: 'Use textContent.' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
);
