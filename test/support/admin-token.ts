/** The admin token of the tests: strong enough that a server takes it. */
export const ADMIN_TOKEN = "of-the-tests_4Jq9ZkX2mVt7RwBn5LcHyD8sPgFe3A";
